create table harbours (id integer primary key, name text not null);

---- create above / drop below ----

drop table harbours;
