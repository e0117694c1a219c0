-- What tests of properties came to, and the experiments that they were part of.

CREATE TABLE property_result (
    id VARCHAR PRIMARY KEY,             -- a hash of the question and of what the debates were
    question VARCHAR NOT NULL,          -- a hash of judge, property, debates asked for, seed and tolerance
    judge_id VARCHAR NOT NULL,
    property VARCHAR NOT NULL,          -- its key
    source VARCHAR NOT NULL,            -- JSON: which debates were asked for
    stamp VARCHAR NOT NULL,             -- changes whenever these debates do
    debates_of VARCHAR NOT NULL,        -- the data set's name, or what was simulated
    record VARCHAR NOT NULL,            -- JSON: the whole result
    origin VARCHAR NOT NULL,            -- what is to be said wherever it is shown; empty for the user's own tests
    made_at TIMESTAMP NOT NULL          -- UTC
);

CREATE TABLE experiment (
    id VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    text VARCHAR NOT NULL,              -- YAML
    state VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    done BIGINT NOT NULL,               -- tests
    total BIGINT NOT NULL,
    budget VARCHAR NOT NULL,            -- JSON
    spending VARCHAR NOT NULL,          -- JSON
    results VARCHAR NOT NULL,           -- JSON: ids of results in order
    created_at TIMESTAMP NOT NULL,      -- UTC, like the others
    started_at TIMESTAMP,
    finished_at TIMESTAMP
);
