-- Holds the schema that the steps make against a dump.
module SchemaDump where

schemaFile :: FilePath
schemaFile = "src/Store/SQLite/Steps/harbour_schema.sql"
