-- Links that invite the person of a login to registry staff.
alter table login_link drop constraint login_link_purpose_check;
alter table login_link add constraint login_link_purpose_check check (purpose in ('register', 'reset-password', 'change-email', 'undo-change-email',
  'invitation', 'staff-invitation', 'referral', 'contact-email', 'undo-contact-email', 'security-address', 'topic-address'));
create index login_link_staff_invitation on login_link (lower(email)) where purpose = 'staff-invitation' and used_at is null;
