-- Suppressions that accept nothing
-- severity: warning
-- stage: findings
-- needs: growth
-- subject: suppressions
--
-- Nothing of the rule is found where the suppression holds: the statement was mended or has moved, the index came, or the
-- suppression stands in the wrong place. What stays behind would accept, unseen, the next defect that is written there.
--
-- remedy: Remove it; or move it to the statement that it is about, or name the rule that is found there.
SELECT
    s.site,
    'nothing is found here by `' || s.rule || '`, which is allowed'
        || coalesce(iif(s.kind = 'comment', '; found here: ' || s.beside, NULL), '') AS message,
    iif(s.near IS NULL, NULL,
        json_array(json_object('site', s.near, 'message', 'the nearest finding of the rule is here'))) AS related
FROM suppression AS s
WHERE s.used = 0 AND s.fault IS NULL AND s.reason IS NOT NULL
