{-# LANGUAGE QuasiQuotes #-}

-- Quasi-quotes, texts that are put together, names below their use.
module Harbour.Store where

import qualified Data.Text as T
import qualified Harbour.DB as DB
import Harbour.Tables (shipColumns)

data Ship = Ship {name :: String, flag' :: Char}

shipQuery :: Query
shipQuery =
  [sql|
    SELECT id, name
    FROM ships -- of all flags
  |]

createShip :: DB.Connection -> Ship -> IO ()
createShip db Ship {name, flag'} =
  DB.execute
    db
    [sql|
      INSERT INTO ships (name, flag)
      VALUES (?,?)
    |]
    (name, flag')

getShip :: DB.Connection -> ShipId -> Bool -> IO (Maybe Ship)
getShip db shipId lock =
  maybeFirstRow toShip $
    DB.query
      db
      ( shipQuery
          <> " WHERE id = ?"
      )
      (Only shipId)

shipsOf :: DB.Connection -> Flag -> Maybe Int -> IO [Ship]
shipsOf db flag = \case
  Nothing -> DB.query db (byFlag <> " ORDER BY name") (Only flag)
  Just n -> DB.query db (byFlag <> " ORDER BY name LIMIT ?") (flag, n)
  where
    byFlag = shipQuery <> " WHERE flag = ?"

touchShips :: DB.Connection -> IO ()
touchShips db = DB.execute_ db "UPDATE ships \
  \SET seen = 1 \
  \WHERE flag = 'x'"

deleteShips :: DB.Connection -> [ShipId] -> IO ()
deleteShips db ids = do
  forM_ ids $ \i ->
    DB.execute db "DELETE FROM ships WHERE id = ?" (Only i)
  DB.execute_ db "DELETE FROM crew WHERE ship IS NULL"

countShips :: DB.Connection -> Bool -> IO Int
countShips db' afloat = do
  let cond = if afloat then "afloat = 1" else "afloat = 0"
  fromOnly . head <$> DB.query_ db' ("SELECT count(*) FROM ships WHERE " <> cond)

listColumns :: DB.Connection -> T.Text -> IO [Ship]
listColumns db order =
  DB.query_ db . fromString $ unwords ["SELECT", T.intercalate ", " ["id", "name"], "FROM ships", "ORDER BY", T.unpack order]

message :: String -> String
message n = "no ship of the name " <> show n <> " in 'the list'"
