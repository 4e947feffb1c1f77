-- Suppressions without a reason
-- severity: warning
-- stage: findings
-- subject: suppressions
--
-- A finding that is accepted without a reason can't be judged again by whoever comes later: nobody knows whether it still
-- holds. Without one the suppression is not followed.
--
-- remedy: Say after it why this is fine here: `planlint: allow(rule) the table has one row per peer`.
SELECT
    s.site,
    'it allows `' || s.rule || '` without a reason' AS message
FROM suppression AS s
WHERE s.reason IS NULL AND s.fault IS NULL
