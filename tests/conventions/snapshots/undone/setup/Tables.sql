-- Each line is run by what packs the installer.
CREATE TABLE `Permissions` (`Permissions` CHAR(72) NOT NULL, `Part` CHAR(72) NOT NULL PRIMARY KEY `Permissions`, `Part`)
INSERT INTO `Permissions` (`Permissions`, `Part`) VALUES ('a', 'b')
