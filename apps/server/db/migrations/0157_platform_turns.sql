-- How many tasks of an account wait, so that accounts take turns.
create index task_waiting on task (account_name) where state = 'queued';
