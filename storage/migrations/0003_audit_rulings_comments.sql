-- Who changed what and why, what admins ruled, and what people remarked. Rows are added and never changed; the only
-- exceptions are that a comment is withdrawn, and that what is about removed debates goes with them.

CREATE TABLE audit (
    sequence BIGINT NOT NULL UNIQUE,
    moment VARCHAR NOT NULL,            -- ISO 8601 in UTC, as core has it
    person VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    action VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    object VARCHAR NOT NULL,
    before VARCHAR NOT NULL,            -- JSON
    after VARCHAR NOT NULL,             -- JSON
    reason VARCHAR NOT NULL,
    contents VARCHAR NOT NULL,          -- JSON: the rows that the entry vouches for, each with its hash
    previous VARCHAR NOT NULL,
    hash VARCHAR NOT NULL
);

CREATE TABLE ruling (
    id VARCHAR PRIMARY KEY,
    contestation_id VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL            -- ISO 8601 in UTC
);

CREATE TABLE comment (
    id VARCHAR PRIMARY KEY,
    debate_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,              -- what of the debate it is about
    object VARCHAR NOT NULL,            -- an argument's id, a judge's name; empty for the debate itself
    text VARCHAR NOT NULL,
    person VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL,           -- ISO 8601 in UTC
    withdrawn_by VARCHAR,               -- a name; NULL while it stands
    withdrawn_why VARCHAR
);

CREATE TABLE person (
    id VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    role VARCHAR NOT NULL,              -- at the latest sign-in
    seen_at VARCHAR NOT NULL            -- ISO 8601 in UTC
);
