-- What a person did, for copies of their data.
create index concurrently activity_of_login on activity (login_issuer, login_subject, activity_id) where login_subject is not null;
