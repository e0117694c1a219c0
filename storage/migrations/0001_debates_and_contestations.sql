-- No foreign keys: in DuckDB they block later changes of the parent's columns. Code and tests keep the tables whole.
-- Rows of a debate are joined by debate.number, which is small and fast; people and links use debate.id.

CREATE TABLE dataset (
    id VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    file_name VARCHAR NOT NULL,         -- the base name only, never a path of the machine it came from
    sha256 VARCHAR NOT NULL,
    size BIGINT NOT NULL,
    format VARCHAR NOT NULL,
    imported_at TIMESTAMP NOT NULL,     -- UTC
    debate_count BIGINT NOT NULL,
    argument_count BIGINT NOT NULL,
    is_sample BOOLEAN NOT NULL,
    note VARCHAR NOT NULL,
    job VARCHAR NOT NULL                -- the inbox job that it came by, so that no job is carried out twice
);

CREATE TABLE import_issue (
    dataset_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    severity VARCHAR NOT NULL,
    code VARCHAR NOT NULL,
    line BIGINT,
    field VARCHAR,
    message VARCHAR NOT NULL
);

CREATE TABLE debate (
    number BIGINT NOT NULL,             -- rising, so that a debate's rows are found by their blocks' ranges
    id VARCHAR NOT NULL UNIQUE,
    source_id VARCHAR NOT NULL,         -- the id in the file, unique in its dataset
    dataset_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    claim_id VARCHAR,
    claim VARCHAR NOT NULL,
    title VARCHAR,
    label BOOLEAN,
    protocol VARCHAR NOT NULL,
    note VARCHAR,
    tags VARCHAR[] NOT NULL,
    models VARCHAR[] NOT NULL,
    round_count INTEGER NOT NULL,
    agent_count INTEGER NOT NULL,
    -- What judges read, so of the last round:
    argument_count INTEGER NOT NULL,
    pro_count INTEGER NOT NULL,         -- arguments that support the claim directly
    con_count INTEGER NOT NULL,         -- arguments that attack the claim directly
    relation_count INTEGER NOT NULL,
    stances DOUBLE[] NOT NULL,          -- each agent's latest: posterior, or prior where there is none; or NULL
    message_count INTEGER NOT NULL,
    judgement_count INTEGER NOT NULL,
    search_text VARCHAR NOT NULL,       -- every text that a search looks into, case folded
    record VARCHAR NOT NULL             -- the whole debate in the native format: the authority
);

CREATE TABLE agent (
    debate BIGINT NOT NULL,
    position INTEGER NOT NULL,
    id VARCHAR NOT NULL,
    name VARCHAR,
    model VARCHAR,
    role VARCHAR,
    persona VARCHAR,
    temperature DOUBLE
);

CREATE TABLE stance (
    debate BIGINT NOT NULL,
    round_index INTEGER NOT NULL,       -- 0, 1, 2, ...: the place of the round; its number may be anything
    round INTEGER NOT NULL,
    position INTEGER NOT NULL,
    agent_id VARCHAR NOT NULL,
    prior DOUBLE,
    posterior DOUBLE
);

CREATE TABLE argument (
    debate BIGINT NOT NULL,
    round_index INTEGER NOT NULL,
    round INTEGER NOT NULL,
    position INTEGER NOT NULL,
    id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    author VARCHAR,
    base_score DOUBLE,
    source_id VARCHAR,
    base_score_raw VARCHAR,
    last_edited_by VARCHAR,
    is_error_text BOOLEAN NOT NULL,
    source VARCHAR
);

CREATE TABLE relation (
    debate BIGINT NOT NULL,
    round_index INTEGER NOT NULL,
    round INTEGER NOT NULL,
    position INTEGER NOT NULL,
    source VARCHAR NOT NULL,
    target VARCHAR NOT NULL,
    kind VARCHAR NOT NULL
);

CREATE TABLE message (
    debate BIGINT NOT NULL,
    position INTEGER NOT NULL,
    speaker VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    round INTEGER,
    role VARCHAR,
    model VARCHAR
);

CREATE TABLE recorded_judgement (       -- judgements that came with a log; Moot's own will have their own table
    debate BIGINT NOT NULL,
    position INTEGER NOT NULL,
    judge VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    score DOUBLE,
    verdict VARCHAR,
    status VARCHAR NOT NULL,
    explanation VARCHAR NOT NULL,
    settings VARCHAR NOT NULL           -- JSON
);

CREATE TABLE contestation (
    id VARCHAR PRIMARY KEY,
    debate_id VARCHAR NOT NULL,
    round INTEGER,
    reason VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,        -- ISO 8601 in UTC, as core has it
    parent VARCHAR,
    before VARCHAR NOT NULL,            -- JSON
    after VARCHAR NOT NULL,             -- JSON
    settings VARCHAR NOT NULL,          -- JSON
    tags VARCHAR[] NOT NULL
);

CREATE TABLE edit (
    contestation_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    argument VARCHAR NOT NULL,
    record VARCHAR NOT NULL             -- JSON, the whole edit
);

CREATE TABLE draft (
    author VARCHAR NOT NULL,
    debate_id VARCHAR NOT NULL,
    round INTEGER,
    edits VARCHAR,                      -- JSON; NULL once dropped: the row stays, so that versions never repeat
    version BIGINT NOT NULL,
    saved_at TIMESTAMP NOT NULL,        -- UTC
    PRIMARY KEY (author, debate_id)
);

CREATE TABLE setting (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL,             -- JSON
    saved_at TIMESTAMP NOT NULL         -- UTC
);
