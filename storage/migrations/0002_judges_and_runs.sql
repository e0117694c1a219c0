-- Judges, the runs that put debates before them, what language models replied, and the judgements.
-- Nothing in here holds a key: an endpoint is a name and an address.

CREATE TABLE prompt_set (
    hash VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    texts VARCHAR NOT NULL              -- JSON: template by name
);

CREATE TABLE judge (
    id VARCHAR PRIMARY KEY,             -- a hash of the settings
    family VARCHAR NOT NULL,
    name VARCHAR NOT NULL,              -- made of the settings
    title VARCHAR NOT NULL,             -- given by a person; empty for none
    pinned BOOLEAN NOT NULL,
    settings VARCHAR NOT NULL,          -- JSON
    created_at TIMESTAMP NOT NULL       -- UTC
);

CREATE TABLE run (
    id VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    judges VARCHAR NOT NULL,            -- JSON: judge ids in order
    endpoints VARCHAR NOT NULL,         -- JSON: addresses and manners; which variable holds a key, never the key
    budget VARCHAR NOT NULL,            -- JSON
    debate_count BIGINT NOT NULL,
    seconds DOUBLE NOT NULL,            -- of running, all starts together
    created_at TIMESTAMP NOT NULL,      -- UTC, like the others
    started_at TIMESTAMP,
    finished_at TIMESTAMP
);

CREATE TABLE run_debate (
    run_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    dataset_id VARCHAR NOT NULL,        -- with the debate's id it names the content: a changed file has another id
    debate_id VARCHAR NOT NULL
);

CREATE TABLE reply (
    key VARCHAR PRIMARY KEY,            -- SHA-256 of endpoint, model, parameters, messages, schema and sample
    run_id VARCHAR NOT NULL,            -- the run that paid for it; empty for none
    endpoint VARCHAR NOT NULL,
    base_url VARCHAR NOT NULL,
    model VARCHAR NOT NULL,             -- asked for
    parameters VARCHAR NOT NULL,        -- JSON
    messages VARCHAR NOT NULL,          -- JSON: [role, text] each
    schema VARCHAR NOT NULL,            -- JSON or empty
    sample INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    response_model VARCHAR NOT NULL,    -- who answered
    finish_reason VARCHAR NOT NULL,
    refusal VARCHAR NOT NULL,
    tokens_in BIGINT,
    tokens_out BIGINT,
    tokens_cached BIGINT,
    seconds DOUBLE NOT NULL,
    format VARCHAR NOT NULL,
    top VARCHAR NOT NULL,               -- JSON: [token, log-probability] each
    cost DOUBLE,                        -- NULL where it is unknown
    created_at TIMESTAMP NOT NULL       -- UTC
);

CREATE TABLE judgement (
    judge_id VARCHAR NOT NULL,
    dataset_id VARCHAR NOT NULL,
    debate_id VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,            -- the run that made it; empty where it came from a file
    score DOUBLE,
    verdict VARCHAR,
    status VARCHAR NOT NULL,
    explanation VARCHAR NOT NULL,
    parts VARCHAR NOT NULL,             -- JSON: one for each repeat or agent
    notes VARCHAR NOT NULL,             -- JSON
    replies VARCHAR NOT NULL,           -- JSON: keys of the replies it rests on
    models VARCHAR NOT NULL,            -- JSON: who answered
    calls INTEGER NOT NULL,
    tokens_in BIGINT,                   -- NULL where a reply did not say
    tokens_out BIGINT,
    cost DOUBLE,                        -- NULL where it is unknown
    seconds DOUBLE NOT NULL,
    origin VARCHAR NOT NULL,            -- what is to be said wherever it is shown; empty for the user's own runs
    created_at TIMESTAMP NOT NULL,      -- UTC
    PRIMARY KEY (judge_id, dataset_id, debate_id)
);
