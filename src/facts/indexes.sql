-- Indexes on the facts, made once all rows are in: a sort is cheaper than keeping them in step with every insertion.
-- No part of the contract: rules are right without them, and slow.

CREATE INDEX released_migration_name ON released_migration (database, name);
CREATE INDEX released_migration_release ON released_migration (release, database);
CREATE INDEX migration_text ON migration (database, text_key);
CREATE INDEX migration_name ON migration (database, name);
CREATE INDEX call_statement ON call (statement);
CREATE INDEX call_callee ON call (callee);
CREATE INDEX call_caller ON call (caller);
CREATE INDEX call_callee_name ON call (callee_name);
CREATE INDEX argument_call ON argument (call, ordinal);
CREATE INDEX statement_function ON statement (function);
CREATE INDEX parameter_statement ON parameter (statement, ordinal);
CREATE INDEX table_reference_statement ON table_reference (statement);
CREATE INDEX query_within_statement ON query_within (statement, query);
CREATE INDEX predicate_statement ON predicate (statement);
CREATE INDEX read_statement ON read (statement);
CREATE INDEX write_table ON write ("table", action);
CREATE INDEX schema_table_name ON schema_table (name, variant);
CREATE INDEX column_table ON column (schema_table);
CREATE INDEX index_name ON "index" (variant, name);
CREATE INDEX index_table ON "index" (variant, "table");
CREATE INDEX index_column_index ON index_column ("index", ordinal);
CREATE INDEX foreign_key_parent ON foreign_key (parent, variant);
CREATE INDEX foreign_key_column_key ON foreign_key_column (foreign_key);
CREATE INDEX table_size_table ON table_size (database, "table");
CREATE INDEX size_evidence_size ON size_evidence (table_size);
CREATE INDEX plan_statement ON plan (statement);
CREATE INDEX plan_foreign_key ON plan (foreign_key);
CREATE INDEX step_query_step ON step_query (step);
CREATE INDEX step_plan ON step (plan, ordinal);
CREATE INDEX migration_step_migration ON migration_step (migration);
CREATE INDEX experiment_step ON experiment (step);
CREATE INDEX obstacle_step ON obstacle (step);
CREATE INDEX relief_obstacle ON relief (obstacle);
CREATE INDEX growth_statement ON growth (statement);
CREATE INDEX measure_growth ON measure (growth);
CREATE INDEX trial_effect_trial ON trial_effect (trial);
