alter table harbours add column depth integer;

---- create above / drop below ----

alter table harbours drop column depth;
