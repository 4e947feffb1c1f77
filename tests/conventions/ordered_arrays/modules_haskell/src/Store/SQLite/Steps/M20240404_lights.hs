{-# LANGUAGE QuasiQuotes #-}

-- Never handed in.
module Store.SQLite.Steps.M20240404_lights where

m20240404_lights :: Query
m20240404_lights = [sql|CREATE TABLE light (id INTEGER PRIMARY KEY)|]
