import { known } from "./known";

known.add({
  version: 1,
  title: "users",
  up: `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, mail TEXT);
       CREATE INDEX users_mail ON users(mail)`,
  down: "DROP TABLE users",
});
