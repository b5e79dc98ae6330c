-- Events, registrations, certificates of attendance, online payments and bank transfers move along their lives in the contract.
call follow_life('event', 'state', 'draft>cancelled draft>published published>cancelled');
call follow_life('event_registration', 'state', 'registered>cancelled waitlisted>cancelled waitlisted>registered');
call follow_life('event_certificate', 'state', 'requested>issued requested>rejected');
call follow_life('checkout', 'state', 'expired>paid failed>paid open>expired open>failed open>paid starting>expired starting>failed starting>open starting>paid');
call follow_life('bank_line', 'state', 'open>recorded open>set-aside set-aside>open');
