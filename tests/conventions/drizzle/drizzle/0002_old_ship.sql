CREATE TABLE `ships` (
	`id` integer PRIMARY KEY NOT NULL,
	`harbour` integer NOT NULL
);
