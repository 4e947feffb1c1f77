-- View
-- severity: warning
--
-- Nobody here can read views.
--
-- remedy: Write the query.
SELECT
    view.site,
    view.name AS "table",
    printf('`%s` is a view', view.name) AS message
FROM view
JOIN base_variant ON base_variant.variant = view.variant
