import { known } from "./known";

known.add({
  version: 3,
  title: "accounts",
  up: "ALTER TABLE users RENAME TO accounts; CREATE TABLE users (account INTEGER, nick TEXT)",
  down: "DROP TABLE users; ALTER TABLE accounts RENAME TO users",
});
