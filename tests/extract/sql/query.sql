SELECT id, label FROM shelf WHERE label = :label -- 😀
