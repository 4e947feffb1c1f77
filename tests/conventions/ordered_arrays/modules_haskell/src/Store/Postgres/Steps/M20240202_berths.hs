{-# LANGUAGE QuasiQuotes #-}

-- A table, and what takes it away.
module Store.Postgres.Steps.M20240202_berths where

m20240202_berths :: Query
m20240202_berths =
  [sql|
CREATE TABLE berth (id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY, harbour INTEGER);
CREATE INDEX ship_name ON ship (name);
|]

down_m20240202_berths :: Query
down_m20240202_berths =
  [sql|
DROP INDEX ship_name;
DROP TABLE berth;
|]
