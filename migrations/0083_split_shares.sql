-- A split shares what was promised for the first row once and for all: by what was done then, not by what the rows last now.
ALTER TABLE task_splits ADD COLUMN share DOUBLE PRECISION NOT NULL DEFAULT 0.5;
UPDATE task_splits SET share = COALESCE((
    SELECT CAST(n.duration AS DOUBLE PRECISION) / (n.duration + f.duration) FROM tasks n, tasks f
    WHERE n.id = task_splits.task_id AND f.id = task_splits.split_from AND n.duration + f.duration > 0), 0.5);
