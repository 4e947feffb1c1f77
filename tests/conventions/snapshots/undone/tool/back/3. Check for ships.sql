SELECT 'There are ships' AS "Message" FROM "Ship" LIMIT 1;
