-- What people put together for reports: one basket for each person, and reports kept under a name.

CREATE TABLE report_basket (
    person VARCHAR PRIMARY KEY,
    recipe VARCHAR NOT NULL,            -- JSON: which items in which order, with notes
    saved_at TIMESTAMP NOT NULL         -- UTC
);

CREATE TABLE report (
    name VARCHAR PRIMARY KEY,
    person VARCHAR NOT NULL,            -- who kept it: the id, and what it was called then
    person_name VARCHAR NOT NULL,
    recipe VARCHAR NOT NULL,            -- JSON
    hash VARCHAR NOT NULL,              -- SHA-256 of the recipe
    saved_at TIMESTAMP NOT NULL         -- UTC
);
