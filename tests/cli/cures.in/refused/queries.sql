UPDATE pupil SET badge = (SELECT name FROM badge WHERE badge.pupil = pupil.id) WHERE class = 'first';

UPDATE pupil SET badge = 'none' WHERE EXISTS (SELECT 1 FROM visit WHERE visit.town = pupil.town);
