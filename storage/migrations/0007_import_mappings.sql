-- How files were read: mappings that people keep under a name, and what was said of the file of a data set.

CREATE TABLE import_mapping (
    name VARCHAR PRIMARY KEY,
    kind VARCHAR NOT NULL,              -- 'paths' or 'table'
    record VARCHAR NOT NULL,            -- JSON
    person VARCHAR NOT NULL,
    person_name VARCHAR NOT NULL,
    saved_at TIMESTAMP NOT NULL         -- UTC
);

ALTER TABLE dataset ADD COLUMN mapping VARCHAR DEFAULT '';      -- JSON: by which it was read; empty for none
ALTER TABLE dataset ADD COLUMN derivations VARCHAR DEFAULT '';  -- keys of what somebody chose to derive, with commas
