BEGIN;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE change_bytes (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	digest TEXT NOT NULL, 
	bytes BLOB NOT NULL, 
	used_at BIGINT NOT NULL, 
	CONSTRAINT pk_change_bytes PRIMARY KEY (rowid), 
	CONSTRAINT uq_change_bytes_household_digest UNIQUE (household, digest)
);
CREATE TABLE changes (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	batch TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	principal_kind TEXT NOT NULL, 
	principal_id TEXT NOT NULL, 
	principal_name TEXT NOT NULL, 
	operation TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	event_id TEXT, 
	calendar_id TEXT, 
	before_digest TEXT, 
	after_digest TEXT, 
	facts JSON NOT NULL, 
	approval_id TEXT, 
	undoes TEXT, 
	previous TEXT NOT NULL, 
	chain TEXT NOT NULL, 
	CONSTRAINT pk_changes PRIMARY KEY (rowid), 
	CONSTRAINT uq_changes_household_id UNIQUE (household, id)
);
CREATE INDEX ix_changes_batch ON changes (household, batch);
CREATE INDEX ix_changes_event ON changes (household, event_id);
CREATE INDEX ix_changes_order ON changes (household, rowid);
CREATE INDEX ix_changes_principal ON changes (household, principal_kind, principal_id);
CREATE INDEX ix_changes_undoes ON changes (household, undoes);
CREATE TABLE due (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	target TEXT NOT NULL, 
	state TEXT NOT NULL, 
	fire_at BIGINT NOT NULL, 
	payload JSON NOT NULL, 
	attempt INTEGER NOT NULL, 
	claimed_by TEXT, 
	lease_until BIGINT, 
	last_error TEXT, 
	made_at BIGINT NOT NULL, 
	CONSTRAINT pk_due PRIMARY KEY (rowid), 
	CONSTRAINT uq_due_household_id UNIQUE (household, id), 
	CONSTRAINT uq_due_household_kind_target UNIQUE (household, kind, target)
);
CREATE INDEX ix_due_armed ON due (state, fire_at);
CREATE INDEX ix_due_lease ON due (state, lease_until);
CREATE TABLE households (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	zone TEXT NOT NULL, 
	epoch TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_households PRIMARY KEY (id)
);
CREATE TABLE members (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	role TEXT NOT NULL, 
	zone TEXT, 
	nicknames JSON NOT NULL, 
	addresses JSON NOT NULL, 
	password_hash TEXT, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_members PRIMARY KEY (rowid), 
	CONSTRAINT uq_members_household_id UNIQUE (household, id), 
	CONSTRAINT uq_members_household_name UNIQUE (household, name)
);
CREATE TABLE requests (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	principal TEXT NOT NULL, 
	request_id TEXT NOT NULL, 
	call_digest TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	outcome JSON NOT NULL, 
	CONSTRAINT pk_requests PRIMARY KEY (rowid), 
	CONSTRAINT uq_requests_household_principal_request_id UNIQUE (household, principal, request_id)
);
CREATE TABLE runs (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	target TEXT NOT NULL, 
	state TEXT NOT NULL, 
	progress JSON NOT NULL, 
	error TEXT, 
	asked_at BIGINT NOT NULL, 
	started_at BIGINT, 
	ended_at BIGINT, 
	CONSTRAINT pk_runs PRIMARY KEY (rowid), 
	CONSTRAINT uq_runs_household_id UNIQUE (household, id)
);
CREATE INDEX ix_runs_target ON runs (household, kind, target, rowid);
CREATE TABLE settings (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	value JSON NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (rowid), 
	CONSTRAINT uq_settings_household_name UNIQUE (household, name)
);
CREATE TABLE accounts (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	member_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	url TEXT NOT NULL, 
	username TEXT, 
	options JSON NOT NULL, 
	state TEXT NOT NULL, 
	last_error TEXT, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_accounts PRIMARY KEY (rowid), 
	CONSTRAINT uq_accounts_household_id UNIQUE (household, id), 
	CONSTRAINT uq_accounts_household_name UNIQUE (household, name), 
	CONSTRAINT fk_accounts_household_member_id FOREIGN KEY(household, member_id) REFERENCES members (household, id)
);
CREATE TABLE approvals (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	state TEXT NOT NULL, 
	operation TEXT NOT NULL, 
	asked_by_kind TEXT NOT NULL, 
	asked_by_id TEXT NOT NULL, 
	asked_by_name TEXT NOT NULL, 
	member_id TEXT NOT NULL, 
	risk INTEGER NOT NULL, 
	reasons JSON NOT NULL, 
	preview JSON NOT NULL, 
	changes JSON NOT NULL, 
	digest TEXT NOT NULL, 
	epoch TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	decided_at BIGINT, 
	decided_by TEXT, 
	result JSON, 
	CONSTRAINT pk_approvals PRIMARY KEY (rowid), 
	CONSTRAINT uq_approvals_household_id UNIQUE (household, id), 
	CONSTRAINT fk_approvals_household_member_id FOREIGN KEY(household, member_id) REFERENCES members (household, id)
);
CREATE INDEX ix_approvals_state ON approvals (household, state, expires_at);
CREATE UNIQUE INDEX uq_approvals_pending_digest ON approvals (household, asked_by_id, digest) WHERE state = 'pending';
CREATE TABLE assistants (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	member_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	revoked_at BIGINT, 
	CONSTRAINT pk_assistants PRIMARY KEY (rowid), 
	CONSTRAINT uq_assistants_household_id UNIQUE (household, id), 
	CONSTRAINT fk_assistants_household_member_id FOREIGN KEY(household, member_id) REFERENCES members (household, id)
);
CREATE UNIQUE INDEX uq_assistants_live_name ON assistants (household, name) WHERE revoked_at IS NULL;
CREATE TABLE calendars (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	member_id TEXT NOT NULL, 
	account_id TEXT, 
	name TEXT NOT NULL, 
	color TEXT, 
	offer TEXT NOT NULL, 
	writable BOOLEAN NOT NULL, 
	href TEXT, 
	sync_token TEXT, 
	ctag TEXT, 
	synced_at BIGINT, 
	listed_at BIGINT, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_calendars PRIMARY KEY (rowid), 
	CONSTRAINT uq_calendars_household_account_id_href UNIQUE (household, account_id, href), 
	CONSTRAINT uq_calendars_household_id UNIQUE (household, id), 
	CONSTRAINT uq_calendars_household_name UNIQUE (household, name), 
	CONSTRAINT fk_calendars_household_account_id FOREIGN KEY(household, account_id) REFERENCES accounts (household, id), 
	CONSTRAINT fk_calendars_household_member_id FOREIGN KEY(household, member_id) REFERENCES members (household, id)
);
CREATE TABLE credentials (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	member_id TEXT NOT NULL, 
	assistant_id TEXT, 
	epoch TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT, 
	revoked_at BIGINT, 
	CONSTRAINT pk_credentials PRIMARY KEY (rowid), 
	CONSTRAINT uq_credentials_hash UNIQUE (hash), 
	CONSTRAINT uq_credentials_household_id UNIQUE (household, id), 
	CONSTRAINT fk_credentials_household_assistant_id FOREIGN KEY(household, assistant_id) REFERENCES assistants (household, id), 
	CONSTRAINT fk_credentials_household_member_id FOREIGN KEY(household, member_id) REFERENCES members (household, id)
);
CREATE TABLE secrets (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	account_id TEXT NOT NULL, 
	sealed BLOB NOT NULL, 
	key_id TEXT NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY (rowid), 
	CONSTRAINT uq_secrets_household_account_id UNIQUE (household, account_id), 
	CONSTRAINT fk_secrets_household_account_id FOREIGN KEY(household, account_id) REFERENCES accounts (household, id) ON DELETE CASCADE
);
CREATE TABLE grants (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	assistant_id TEXT NOT NULL, 
	calendar_id TEXT NOT NULL, 
	own_level INTEGER NOT NULL, 
	others_level INTEGER NOT NULL, 
	read_private TEXT NOT NULL, 
	"create" TEXT NOT NULL, 
	own_update TEXT NOT NULL, 
	own_delete TEXT NOT NULL, 
	others_update TEXT NOT NULL, 
	others_delete TEXT NOT NULL, 
	invite TEXT NOT NULL, 
	changed_at BIGINT NOT NULL, 
	CONSTRAINT pk_grants PRIMARY KEY (rowid), 
	CONSTRAINT uq_grants_household_assistant_id_calendar_id UNIQUE (household, assistant_id, calendar_id), 
	CONSTRAINT fk_grants_household_assistant_id FOREIGN KEY(household, assistant_id) REFERENCES assistants (household, id), 
	CONSTRAINT fk_grants_household_calendar_id FOREIGN KEY(household, calendar_id) REFERENCES calendars (household, id) ON DELETE CASCADE
);
CREATE TABLE uploads (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	calendar_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	bytes BLOB NOT NULL, 
	problems JSON NOT NULL, 
	done INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	CONSTRAINT pk_uploads PRIMARY KEY (rowid), 
	CONSTRAINT uq_uploads_household_id UNIQUE (household, id), 
	CONSTRAINT fk_uploads_household_calendar_id FOREIGN KEY(household, calendar_id) REFERENCES calendars (household, id) ON DELETE CASCADE
);
CREATE INDEX ix_uploads_digest ON uploads (household, calendar_id, digest);
CREATE TABLE objects (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	calendar_id TEXT NOT NULL, 
	uid TEXT NOT NULL, 
	href TEXT NOT NULL, 
	local_digest TEXT NOT NULL, 
	meaning TEXT NOT NULL, 
	base_etag TEXT, 
	push_state TEXT NOT NULL, 
	upload_id TEXT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	deleted_at BIGINT, 
	local BLOB NOT NULL, 
	base BLOB, 
	CONSTRAINT pk_objects PRIMARY KEY (rowid), 
	CONSTRAINT uq_objects_household_calendar_id_href UNIQUE (household, calendar_id, href), 
	CONSTRAINT uq_objects_household_id UNIQUE (household, id), 
	CONSTRAINT fk_objects_household_calendar_id FOREIGN KEY(household, calendar_id) REFERENCES calendars (household, id), 
	CONSTRAINT fk_objects_household_upload_id FOREIGN KEY(household, upload_id) REFERENCES uploads (household, id)
);
CREATE INDEX ix_objects_uid ON objects (household, calendar_id, uid);
CREATE INDEX ix_objects_unpushed ON objects (household, calendar_id) WHERE push_state != 'clean';
CREATE TABLE components (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	calendar_id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	summary TEXT NOT NULL, 
	location TEXT NOT NULL, 
	description TEXT NOT NULL, 
	status TEXT NOT NULL, 
	transparent BOOLEAN NOT NULL, 
	recurs BOOLEAN NOT NULL, 
	rrule TEXT NOT NULL, 
	organizer TEXT NOT NULL, 
	url TEXT NOT NULL, 
	first_start BIGINT, 
	last_end BIGINT, 
	flags JSON NOT NULL, 
	CONSTRAINT pk_components PRIMARY KEY (rowid), 
	CONSTRAINT uq_components_household_event_id_key UNIQUE (household, event_id, "key"), 
	CONSTRAINT fk_components_household_event_id FOREIGN KEY(household, event_id) REFERENCES objects (household, id) ON DELETE CASCADE
);
CREATE INDEX ix_components_series ON components (household, first_start, last_end) WHERE recurs = 1;
CREATE TABLE origins (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	assistant_id TEXT NOT NULL, 
	authored JSON NOT NULL, 
	reach INTEGER NOT NULL, 
	made_at BIGINT NOT NULL, 
	CONSTRAINT pk_origins PRIMARY KEY (rowid), 
	CONSTRAINT uq_origins_household_event_id UNIQUE (household, event_id), 
	CONSTRAINT fk_origins_household_assistant_id FOREIGN KEY(household, assistant_id) REFERENCES assistants (household, id), 
	CONSTRAINT fk_origins_household_event_id FOREIGN KEY(household, event_id) REFERENCES objects (household, id) ON DELETE CASCADE
);
CREATE TABLE read_permits (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	assistant_id TEXT NOT NULL, 
	event_id TEXT NOT NULL, 
	level INTEGER NOT NULL, 
	until BIGINT NOT NULL, 
	epoch TEXT NOT NULL, 
	CONSTRAINT pk_read_permits PRIMARY KEY (rowid), 
	CONSTRAINT uq_read_permits_household_assistant_id_event_id UNIQUE (household, assistant_id, event_id), 
	CONSTRAINT fk_read_permits_household_assistant_id FOREIGN KEY(household, assistant_id) REFERENCES assistants (household, id), 
	CONSTRAINT fk_read_permits_household_event_id FOREIGN KEY(household, event_id) REFERENCES objects (household, id) ON DELETE CASCADE
);
CREATE INDEX ix_read_permits_event ON read_permits (household, event_id);
CREATE TABLE component_people (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	component INTEGER NOT NULL, 
	member_id TEXT, 
	address TEXT NOT NULL, 
	name TEXT NOT NULL, 
	role TEXT NOT NULL, 
	partstat TEXT NOT NULL, 
	organizer BOOLEAN NOT NULL, 
	CONSTRAINT pk_component_people PRIMARY KEY (rowid), 
	CONSTRAINT fk_component_people_component FOREIGN KEY(component) REFERENCES components (rowid) ON DELETE CASCADE, 
	CONSTRAINT fk_component_people_household_member_id FOREIGN KEY(household, member_id) REFERENCES members (household, id)
);
CREATE INDEX ix_component_people_component ON component_people (component);
CREATE INDEX ix_component_people_member ON component_people (member_id, household);
CREATE TABLE occurrences (
	rowid INTEGER NOT NULL, 
	household INTEGER NOT NULL, 
	component INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	calendar_id TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	wall_start TEXT NOT NULL, 
	wall_end TEXT NOT NULL, 
	tzid TEXT, 
	utc_start BIGINT NOT NULL, 
	utc_end BIGINT NOT NULL, 
	long BOOLEAN NOT NULL, 
	tzdata TEXT NOT NULL, 
	CONSTRAINT pk_occurrences PRIMARY KEY (rowid), 
	CONSTRAINT fk_occurrences_component FOREIGN KEY(component) REFERENCES components (rowid) ON DELETE CASCADE
);
CREATE INDEX ix_occurrences_component ON occurrences (component);
CREATE INDEX ix_occurrences_event ON occurrences (household, event_id, "key");
CREATE INDEX ix_occurrences_long ON occurrences (household, utc_end) WHERE long = 1;
CREATE INDEX ix_occurrences_short ON occurrences (household, utc_start, utc_end) WHERE long = 0;
CREATE TABLE search_text (
	component INTEGER NOT NULL, 
	title TEXT NOT NULL, 
	notes TEXT NOT NULL, 
	location TEXT NOT NULL, 
	people TEXT NOT NULL, 
	CONSTRAINT pk_search_text PRIMARY KEY (component), 
	CONSTRAINT fk_search_text_component FOREIGN KEY(component) REFERENCES components (rowid) ON DELETE CASCADE
);
CREATE VIRTUAL TABLE search_fts USING fts5(
        title, notes, location, people, content = 'search_text', content_rowid = 'component', columnsize = 0, tokenize = 'trigram case_sensitive 1');
INSERT INTO "alembic_version" VALUES ('0001');
INSERT INTO "change_bytes" VALUES (1, 1, 'text', X'6279746573', 1772452800000000);
INSERT INTO "changes" VALUES (1, 1, 'change', 'text', 1772452800000000, 'text', 'text', 'text', 'text', 'text', 'dinner', 'family', NULL, NULL, '[]', NULL, NULL, 'text', 'text');
INSERT INTO "due" VALUES (1, 1, 'due', 'text', 'text', 'text', 1772452800000000, '[]', 1, NULL, NULL, NULL, 1772452800000000);
INSERT INTO "households" VALUES (1, 'The Larks', 'Europe/Berlin', 'e1', 1772452800000000);
INSERT INTO "members" VALUES (1, 1, 'ann', 'Ann', 'owner', NULL, '["annie"]', '["ann@example.com"]', NULL, 1772452800000000);
INSERT INTO "requests" VALUES (1, 1, 'text', 'text', 'text', 1772452800000000, '[]');
INSERT INTO "runs" VALUES (1, 1, 'run', 'text', 'text', 'text', '[]', NULL, 1772452800000000, NULL, NULL);
INSERT INTO "settings" VALUES (1, 1, 'text', '[]');
INSERT INTO "accounts" VALUES (1, 1, 'account', 'ann', 'text', 'text', 'text', NULL, '[]', 'text', NULL, 1772452800000000);
INSERT INTO "approvals" VALUES (1, 1, 'approval', 'text', 'text', 'text', 'text', 'text', 'ann', 1, '[]', '[]', '[]', 'text', 'text', 1772452800000000, 1772452800000000, NULL, NULL, NULL);
INSERT INTO "assistants" VALUES (1, 1, 'helper', 'ann', 'helper', 1772452800000000, NULL);
INSERT INTO "assistants" VALUES (2, 1, 'other', 'ann', 'other', 1772452800000000, NULL);
INSERT INTO "calendars" VALUES (1, 1, 'family', 'ann', NULL, 'Family', NULL, 'default', 1, NULL, NULL, NULL, NULL, NULL, 1772452800000000);
INSERT INTO "calendars" VALUES (2, 1, 'work', 'ann', NULL, 'Work', NULL, 'default', 1, NULL, NULL, NULL, NULL, NULL, 1772452800000000);
INSERT INTO "calendars" VALUES (3, 1, 'shared', 'ann', NULL, 'Shared', NULL, 'default', 1, NULL, NULL, NULL, NULL, NULL, 1772452800000000);
INSERT INTO "credentials" VALUES (1, 1, 'credential', 'text', 'text', 'ann', 'helper', 'text', 1772452800000000, NULL, NULL);
INSERT INTO "secrets" VALUES (1, 1, 'account', X'6279746573', 'text');
INSERT INTO "grants" VALUES (1, 1, 'helper', 'family', 1, 1, 'text', 'text', 'text', 'text', 'text', 'text', 'text', 1772452800000000);
INSERT INTO "uploads" VALUES (1, 1, 'upload', 'family', 'text', 'text', X'6279746573', '[]', 1, 'text', 1772452800000000);
INSERT INTO "objects" VALUES (1, 1, 'dinner', 'family', 'dinner@example.com', 'dinner.ics', 'c893e8468b5659e16751b738b17a5a1a0e13b2e19ef6e14850ee5879b26611a2', 'm1', NULL, 'new', NULL, 1772452800000000, 1772452800000000, NULL, X'424547494E3A5643414C454E4441520D0A', NULL);
INSERT INTO "components" VALUES (1, 1, 'dinner', 'family', 'VEVENT', '', 'Dinner 會議', '', '', 'CONFIRMED', 0, 0, '', 'mailto:ann@example.com', 'https://example.com/menu', 0, NULL, '[]');
INSERT INTO "origins" VALUES (1, 1, 'dinner', 'helper', '{}', 3, 1772452800000000);
INSERT INTO "read_permits" VALUES (1, 1, 'helper', 'dinner', 1, 1772452800000000, 'text');
INSERT INTO "component_people" VALUES (1, 1, 1, 'ann', 'mailto:ann@example.com', 'Ann', 'REQ-PARTICIPANT', 'ACCEPTED', 0);
INSERT INTO "occurrences" VALUES (1, 1, 1, 'dinner', 'family', '', 'utc', '2026-03-02T10:00:00', '2026-03-02T11:00:00', NULL, 0, 3600, 0, '2026a');
INSERT INTO "search_text" VALUES (1, 'dinner 會議', '', '', '');
INSERT INTO search_fts (search_fts) VALUES ('rebuild');
CREATE TRIGGER search_text_added AFTER INSERT ON search_text BEGIN INSERT INTO search_fts (rowid, title, notes, location, people) VALUES (new.component, new.title, new.notes, new.location, new.people); END;
CREATE TRIGGER search_text_removed AFTER DELETE ON search_text BEGIN INSERT INTO search_fts (search_fts, rowid, title, notes, location, people) VALUES ('delete', old.component, old.title, old.notes, old.location, old.people); END;
CREATE TRIGGER search_text_changed AFTER UPDATE ON search_text BEGIN INSERT INTO search_fts (search_fts, rowid, title, notes, location, people) VALUES ('delete', old.component, old.title, old.notes, old.location, old.people); INSERT INTO search_fts (rowid, title, notes, location, people) VALUES (new.component, new.title, new.notes, new.location, new.people); END;
COMMIT;
