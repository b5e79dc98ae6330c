-- Links with which anyone confirms that an address gets e-mails about services.
-- Few rows: login_link.
-- Widens login_link_purpose_check.
alter table login_link drop constraint login_link_purpose_check;
alter table login_link add constraint login_link_purpose_check check (purpose in ('register', 'reset-password', 'change-email', 'undo-change-email',
  'invitation', 'staff-invitation', 'referral', 'contact-email', 'undo-contact-email', 'security-address', 'topic-address', 'data-report', 'status-mails'));
