{-# LANGUAGE QuasiQuotes #-}

-- The first tables.
module Store.SQLite.Steps.M20240101_harbour where

m20240101_harbour :: Query
m20240101_harbour =
  [sql|
CREATE TABLE harbour (id INTEGER PRIMARY KEY, name TEXT);

CREATE TABLE ship (id INTEGER PRIMARY KEY, harbour INTEGER, name TEXT);
|]
