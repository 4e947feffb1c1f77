{-# LANGUAGE QuasiQuotes #-}

-- The first tables.
module Store.Postgres.Steps.M20240101_harbour where

m20240101_harbour :: Query
m20240101_harbour =
  [sql|
CREATE TABLE harbour (id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name TEXT);

CREATE TABLE ship (id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY, harbour INTEGER, name TEXT);
|]
