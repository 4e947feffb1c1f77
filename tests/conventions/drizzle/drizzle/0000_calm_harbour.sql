CREATE TABLE `harbours` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `harbours_name` ON `harbours` (`name`);
