-- Arguments that people have taken from transcripts and not made a debate of yet: each person's own.

CREATE TABLE statement_draft (
    person VARCHAR NOT NULL,
    debate_id VARCHAR NOT NULL,
    taken VARCHAR NOT NULL,             -- JSON
    saved_at TIMESTAMP NOT NULL,        -- UTC
    PRIMARY KEY (person, debate_id)
);
