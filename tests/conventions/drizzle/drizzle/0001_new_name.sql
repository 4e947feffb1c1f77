ALTER TABLE `ships` ADD `name` text;
