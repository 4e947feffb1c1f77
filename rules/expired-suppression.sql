-- Suppressions whose day is over
-- severity: warning
-- stage: findings
-- subject: suppressions
--
-- Whoever wrote it wanted to look at this again by that day. From then on it is not followed, and what it accepted is
-- reported again.
--
-- remedy: Mend what it accepted; or say why it is still fine, with another day or for good.
SELECT
    s.site,
    'it allows `' || s.rule || '` until ' || s.until || ', and that day is over' AS message
FROM suppression AS s
WHERE s.expired AND s.used > 0 AND s.fault IS NULL AND s.reason IS NOT NULL
