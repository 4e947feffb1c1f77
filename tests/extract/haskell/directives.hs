{-# LANGUAGE CPP #-}

-- What a preprocessor leaves out for another database.
module Harbour.Locks where

import qualified Harbour.DB as DB

lockShip :: DB.Connection -> ShipId -> IO (Maybe Ship)
lockShip db shipId =
  maybeFirstRow toShip $
    DB.query
      db
      ( "SELECT id, name FROM ships WHERE id = ?"
#if defined(dbPostgres)
          <> " FOR UPDATE"
#endif
      )
      (Only shipId)

#if defined(dbPostgres)
lockShips :: DB.Connection -> IO ()
lockShips db = DB.execute_ db "LOCK TABLE ships"
# else
lockShips :: DB.Connection -> IO ()
lockShips db = DB.execute_ db "BEGIN IMMEDIATE"
#endif

#ifndef WITH_POSTGRES
touchShips :: DB.Connection -> IO ()
touchShips db = DB.execute_ db "UPDATE ships SET seen = 1"
#if defined(dbServer)
forgetShips db = DB.execute_ db "DELETE FROM ships"
#endif
#else
touchShips db = DB.execute_ db "UPDATE ships SET seen = true"
#endif
