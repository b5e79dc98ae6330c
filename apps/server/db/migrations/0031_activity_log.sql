-- Members read the activity log of their account by day.

-- A page by time, and the counts of each day without a look at the lines themselves. Lines of no account stay out.
create index activity_of_account on activity (account_name, happened_at desc, activity_id desc) include (action, refusal)
  where account_name is not null;
