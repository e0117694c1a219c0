-- Runs that hold debates: who debates how, on which claims, and how far each debate came. Replies are in the table of
-- replies, under the run's id; the debates themselves go into a data set.

CREATE TABLE debate_run (
    id VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,              -- of the data set
    state VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    plan VARCHAR NOT NULL,              -- JSON: protocol, agents, rounds, order; the prompts by hash
    endpoints VARCHAR NOT NULL,         -- JSON: addresses and manners; which variable holds a key, never the key
    budget VARCHAR NOT NULL,            -- JSON
    claim_count BIGINT NOT NULL,
    seconds DOUBLE NOT NULL,            -- of running, all starts together
    created_at TIMESTAMP NOT NULL,      -- UTC, like the others
    started_at TIMESTAMP,
    finished_at TIMESTAMP
);

CREATE TABLE debate_run_claim (
    run_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,           -- 0, 1, 2, ...
    claim_id VARCHAR NOT NULL,          -- unique in its run
    claim VARCHAR NOT NULL,
    label BOOLEAN                       -- goes into the debate, and to no model
);

CREATE TABLE debate_outcome (
    run_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,           -- of the claim
    state VARCHAR NOT NULL,             -- 'open' where the debate is to go on
    place VARCHAR NOT NULL,             -- where it stopped, in a sentence
    questions BIGINT NOT NULL,          -- that were asked in it
    failures VARCHAR NOT NULL,          -- JSON: [kind, message] by the key of a request that had no reply
    record VARCHAR NOT NULL,            -- in the native format until it is in the data set, then empty
    PRIMARY KEY (run_id, position)
);
