-- What was read, one row a key (caller class, reading, address); freshness is not decided here.
--
-- Pages stand under the digest of themselves, not of the source: the same bytes read twice (another reading, another
-- base address, another charset header) can give other text, and must never mix. Within a class, equal pages are kept
-- once; they go with the last document that has them.

CREATE TABLE document (
    id            INTEGER PRIMARY KEY,
    caller_class  TEXT NOT NULL CHECK (caller_class IN ('fleet', 'restricted')),
    variant       TEXT NOT NULL,
    url_key       TEXT NOT NULL,
    step          TEXT NOT NULL CHECK (step IN ('moved', 'read', 'verdict')),
    target        TEXT,             -- moved: where to
    verdict       TEXT,             -- verdict: the code
    kind          TEXT,             -- read, verdict
    content_hash  TEXT,             -- read: SHA-256 of the source, hexadecimal
    pages_hash    BLOB,             -- read: names the pages below
    meta_json     TEXT,             -- read: all of the document but its pages
    status        INTEGER NOT NULL,
    content_type  TEXT,
    etag          TEXT,
    last_modified TEXT,
    checksum      BLOB NOT NULL,    -- of the key and everything above
    fetched_at    INTEGER NOT NULL, -- milliseconds since 1970
    fresh_ms      INTEGER NOT NULL,
    bytes         INTEGER NOT NULL, -- of the entry with its pages, shared or not
    UNIQUE (caller_class, variant, url_key)
) STRICT;

CREATE INDEX document_by_age ON document (fetched_at);
CREATE INDEX document_by_pages ON document (caller_class, pages_hash);

-- With a rowid: rows of some 3,000 characters fill the leaves of a table better than those of an index.
CREATE TABLE page (
    id           INTEGER PRIMARY KEY,
    caller_class TEXT NOT NULL,
    pages_hash   BLOB NOT NULL,
    page         INTEGER NOT NULL,  -- from 1
    text         TEXT NOT NULL,
    error        TEXT,
    UNIQUE (caller_class, pages_hash, page)
) STRICT;

CREATE TRIGGER document_deleted AFTER DELETE ON document WHEN old.pages_hash IS NOT NULL
BEGIN
    DELETE FROM page
    WHERE caller_class = old.caller_class AND pages_hash = old.pages_hash AND NOT EXISTS (
        SELECT 1 FROM document WHERE caller_class = old.caller_class AND pages_hash = old.pages_hash
    );
END;

CREATE TRIGGER document_replaced AFTER UPDATE OF pages_hash ON document
WHEN old.pages_hash IS NOT NULL AND old.pages_hash IS NOT new.pages_hash
BEGIN
    DELETE FROM page
    WHERE caller_class = old.caller_class AND pages_hash = old.pages_hash AND NOT EXISTS (
        SELECT 1 FROM document WHERE caller_class = old.caller_class AND pages_hash = old.pages_hash
    );
END;
