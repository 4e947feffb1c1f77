-- Views that many rules go through: while rules run they are tables, with these indexes. No part of the contract.

CREATE INDEX temp.base_variant_database ON base_variant (database);
CREATE INDEX temp.base_plan_statement ON base_plan (statement);
CREATE INDEX temp.base_step_id ON base_step (id);
CREATE INDEX temp.base_step_plan ON base_step (plan);
CREATE INDEX temp.base_step_statement ON base_step (statement);
CREATE INDEX temp.partial_step_step ON partial_step (step);
CREATE INDEX temp.unique_step_step ON unique_step (step);
CREATE INDEX temp.filter_statement ON filter (statement);
CREATE INDEX temp.filter_column ON filter ("table", column);
CREATE INDEX temp.testing_query_step ON testing_query (step);
CREATE INDEX temp.filter_words_statement ON filter_words (statement);
CREATE INDEX temp.growing_table_table ON growing_table (database, "table");
CREATE INDEX temp.size_related_size ON size_related (table_size);
CREATE INDEX temp.worst_growth_statement ON worst_growth (statement);
CREATE INDEX temp.costly_statement ON costly (statement);
CREATE INDEX temp.scanning_statement ON scanning (statement);
CREATE INDEX temp.unique_key_column_key ON unique_key_column (variant, key);
CREATE INDEX temp.unique_key_table ON unique_key (variant, "table");
CREATE INDEX temp.passed_parameter_function ON passed_parameter (function, parameter);
CREATE INDEX temp.looped_statement_statement ON looped_statement (statement);
CREATE INDEX temp.looped_lookup_statement ON looped_lookup (statement);
CREATE INDEX temp.parent_change_key ON parent_change (foreign_key, statement);
CREATE INDEX temp.foreign_key_step_step ON foreign_key_step (step);
CREATE INDEX temp.own_step_statement ON own_step (statement);
CREATE INDEX temp.obstacle_help_step ON obstacle_help (step);
CREATE INDEX temp.purged_column_table ON purged_column (database, "table");
CREATE INDEX temp.kept_filter_statement ON kept_filter (statement);
