ALTER TABLE `ships` ADD `mast` text;
