-- The steps in their order, each with the one that leads back.
module Store.SQLite.Steps.App (steps) where

import Store.SQLite.Steps.M20240101_harbour
import Store.SQLite.Steps.M20240202_berths
import Store.SQLite.Steps.M20240303_tides

steps :: [(String, Query, Maybe Query)]
steps =
  [ ("20240101_harbour", m20240101_harbour, Nothing),
    ("20240202_berths", m20240202_berths, Just down_m20240202_berths),
    ("20240303_tides", m20240303_tides, Just down_m20240303_tides)
  ]
