-- The steps in their order, each with the one that leads back.
module Store.Postgres.Steps.App (steps) where

import Store.Postgres.Steps.M20240101_harbour
import Store.Postgres.Steps.M20240202_berths

steps :: [(String, Query, Maybe Query)]
steps =
  [ ("20240101_harbour", m20240101_harbour, Nothing),
    ("20240202_berths", m20240202_berths, Just down_m20240202_berths)
  ]
