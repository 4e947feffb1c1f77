import { known } from "./known";

known.add({ version: 2, title: "mail", up: "DROP INDEX users_mail; ALTER TABLE users DROP COLUMN mail" });
