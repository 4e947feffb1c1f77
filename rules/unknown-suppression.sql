-- Suppressions that can't be followed
-- severity: warning
-- stage: findings
-- subject: suppressions
--
-- It names a rule that there is not, or says something else that planlint does not know. It accepts nothing, while whoever
-- reads it believes that it does.
--
-- remedy: Write `planlint: allow(rule) reason`, with a rule of `planlint rules`; or remove it.
SELECT s.site, s.fault AS message
FROM suppression AS s
WHERE s.fault IS NOT NULL
