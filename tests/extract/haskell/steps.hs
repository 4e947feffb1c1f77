-- Steps in a list of tuples, each with what leads back.
module Harbour.Steps (steps) where

import Database.SQLite.Simple (Query)

steps :: [(String, Query, Maybe Query)]
steps =
  [ ("stepOne", stepOne, Nothing),
    ("stepTwo", stepTwo, Just down_stepTwo)
  ]

stepOne :: Query
stepOne = "CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT)"

stepTwo :: Query
stepTwo = "CREATE INDEX ships_name ON ships (name)"

down_stepTwo :: Query
down_stepTwo = "DROP INDEX ships_name"
