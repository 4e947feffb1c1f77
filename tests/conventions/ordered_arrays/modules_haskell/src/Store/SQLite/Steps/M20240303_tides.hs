{-# LANGUAGE QuasiQuotes #-}

-- A column, and what takes it away.
module Store.SQLite.Steps.M20240303_tides where

m20240303_tides :: Query
m20240303_tides = [sql|ALTER TABLE harbour ADD COLUMN tide INTEGER|]

down_m20240303_tides :: Query
down_m20240303_tides = [sql|ALTER TABLE harbour DROP COLUMN tide|]
