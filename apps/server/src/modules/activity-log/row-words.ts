import type { Permission } from '@portal/contract';

/** How a column is read: words of the database are put into ours, ids of contacts into names, keys of permissions into labels. */
export type Shape = 'text' | 'word' | 'yes-no' | 'list' | 'permission' | 'permissions' | 'contact' | 'time' | 'date';

export type ColumnWords = { label: string; shape: Shape; needs?: Permission };
export type TableWords = {
  /** What one row is. */
  what: string;
  /** What tells its rows apart. */
  key: readonly string[];
  /** The column that says whose it is: the account's name, or the id of a contact of the account. */
  owner: 'account_name' | 'contact_id';
  /** Who may see the rows; without it whoever may see the log. */
  needs?: Permission;
  /** Columns that name a row, the first that is filled. */
  name: readonly string[];
  columns: Readonly<Record<string, ColumnWords>>;
  /** Columns that are not shown: numbers of the machine, and what would tell of people outside the account. */
  unsaid: readonly string[];
};

const column =
  (shape: Shape) =>
  (label: string, needs?: Permission): ColumnWords => ({ label, shape, ...(needs && { needs }) });
const text = column('text');
const word = column('word');
const yesNo = column('yes-no');
const list = column('list');
const permissionsOf = column('permissions');
const contact = column('contact');
const time = column('time');
const date = column('date');

/**
 * The history of rows as members read it. Only what stands here is ever shown: another table, another column, a secret that found its way
 * into the history is not. A table or column that is missing here, and not left out on purpose, fails the tests.
 */
export const tables: Readonly<Record<string, TableWords>> = {
  account: {
    what: 'Account',
    key: ['account_name'],
    owner: 'account_name',
    name: ['account_name'],
    columns: {
      account_status: word('Status'),
      account_type: word('Type'),
      nir: yesNo('National internet registry'),
      org_name: text('Organisation'),
      economy: text('Economy'),
      member_since: date('Member since'),
      expiry_date: date('Term ends'),
    },
    unsaid: ['account_name', 'statistics_id', 'created_at'],
  },
  contact: {
    what: 'Contact',
    key: ['contact_id'],
    owner: 'account_name',
    needs: 'contacts-details-view',
    name: ['full_name'],
    columns: {
      full_name: text('Name'),
      email: text('E-mail'),
      phone: text('Telephone'),
      position: text('Position'),
      contact_types: list('Contact types'),
      permissions: permissionsOf('Permissions', 'users-privileges-view'),
      maintainers: list('Maintainers', 'users-privileges-view'),
      status: word('State'),
      confirmed_at: time('Details confirmed'),
      removed_at: time('Removed'),
      helper_until: time('Helper until'),
    },
    unsaid: ['contact_id', 'account_name', 'login_id', 'version', 'created_at', 'confirmation_asked_at', 'helper_warned_at'],
  },
  permission_decision: {
    what: 'Decision on a permission',
    key: ['contact_id', 'permission'],
    owner: 'contact_id',
    needs: 'users-privileges-view',
    name: ['contact_id'],
    columns: {
      permission: column('permission')('Permission'),
      granted: yesNo('Granted'),
      decided_by: contact('Decided by'),
      decided_at: time('Decided'),
    },
    unsaid: ['contact_id'],
  },
  invitation: {
    what: 'Invitation',
    key: ['invitation_id'],
    owner: 'contact_id',
    needs: 'contacts-details-view',
    name: ['contact_id'],
    columns: {
      state: word('State'),
      invited_by: contact('Invited by'),
      sent_at: time('Sent'),
      expires_at: time('Expires'),
      reminded_at: time('Reminded'),
      ended_at: time('Ended'),
    },
    unsaid: ['invitation_id', 'contact_id', 'link_id'],
  },
  access_request: {
    what: 'Access request',
    key: ['access_request_id'],
    owner: 'account_name',
    needs: 'users-approve',
    name: ['full_name', 'subject_id', 'requested_by'],
    columns: {
      kind: word('Asks to'),
      status: word('Status'),
      outcome: word('Why it ended'),
      requested_by: contact('Asked by'),
      subject_id: contact('About'),
      full_name: text('Name'),
      email: text('E-mail'),
      contact_types: list('Contact types'),
      permissions: permissionsOf('Permissions'),
      reason: text('Reason'),
      expires_at: time('Expires'),
      resolved_by: contact('Resolved by'),
      resolved_at: time('Resolved'),
      note: text('Note'),
      granted_types: list('Contact types given'),
      granted_permissions: permissionsOf('Permissions given'),
    },
    unsaid: ['access_request_id', 'account_name', 'login_id', 'page', 'requested_at', 'told_at', 'reminders'],
  },
  registry_request: {
    what: 'Request to the registry',
    key: ['registry_request_id'],
    owner: 'account_name',
    needs: 'contacts-details-view',
    name: ['contact_id'],
    columns: {
      kind: word('Asks to'),
      status: word('Status'),
      contact_types: list('Contact types'),
      permissions: permissionsOf('Permissions', 'users-privileges-view'),
      reason: text('Reason'),
      requested_by: contact('Asked by'),
      resolved_at: time('Resolved'),
      note: text('Note'),
    },
    unsaid: ['registry_request_id', 'account_name', 'contact_id', 'requested_at', 'resolved_by'],
  },
  organisation: {
    what: 'Organisation',
    key: ['account_name'],
    owner: 'account_name',
    needs: 'contacts-details-view',
    name: ['account_name'],
    columns: {
      registration_number: text('Registration number'),
      organisation_type: word('Organisation type'),
      postal_address: list('Postal address'),
      city: text('City'),
      region: text('Region'),
      postcode: text('Postcode'),
      phone: text('Telephone'),
      fax: text('Fax'),
      website: text('Website'),
      abuse_email: text('Abuse e-mail'),
      billing_address: list('Billing address'),
      billing_email: text('Billing e-mail'),
      po_number: text('Purchase order number'),
    },
    unsaid: ['account_name', 'version'],
  },
  document: {
    what: 'Document',
    key: ['document_id'],
    owner: 'account_name',
    needs: 'member-details-update',
    name: ['title'],
    columns: {
      title: text('Title'),
      file_name: text('File'),
      type: word('Type'),
      visibility: word('Seen by'),
      valid_until: date('Valid until'),
      reference: text('Sent for'),
      signature: word('Signature'),
      signed_by: contact('Signed by'),
      signed_at: time('Signed'),
      deleted_at: time('Deleted'),
      deletion_reason: text('Reason of the deletion'),
    },
    unsaid: ['document_id', 'sha256', 'account_name', 'uploaded_by', 'uploaded_at', 'by_staff', 'signed_name', 'deleted_by'],
  },
  membership_certificate: {
    what: 'Certificate of membership',
    key: ['code'],
    owner: 'account_name',
    name: ['code'],
    columns: {
      code: text('Code'),
      org_name: text('Organisation'),
      economy: text('Economy'),
      member_since: date('Member since'),
      valid_until: date('Valid to'),
    },
    unsaid: ['account_name', 'issued_by', 'issued_at'],
  },
  account_safety: {
    what: 'Safety of the account',
    key: ['account_name'],
    owner: 'account_name',
    needs: 'contacts-details-view',
    name: ['account_name'],
    columns: { security_email: text('Security address'), second_factor_from: date('Second factor demanded from') },
    unsaid: ['account_name', 'version', 'reminded_at', 'review_asked_at'],
  },
  access_review: {
    what: 'Access review',
    key: ['access_review_id'],
    owner: 'account_name',
    needs: 'users-privileges-view',
    name: ['reviewed_by'],
    columns: { reviewed_by: contact('Reviewed by'), reviewed_at: time('Reviewed') },
    unsaid: ['access_review_id', 'account_name'],
  },
  access_review_line: {
    what: 'Decision of an access review',
    key: ['access_review_id', 'contact_id'],
    owner: 'contact_id',
    needs: 'users-privileges-view',
    name: ['contact_id'],
    columns: { decision: word('Decision'), reason: text('Reason'), permissions: permissionsOf('Permissions taken away') },
    unsaid: ['access_review_id', 'contact_id'],
  },
  organisation_change: {
    what: 'Request to change the organisation',
    key: ['organisation_change_id'],
    owner: 'account_name',
    needs: 'contacts-details-view',
    name: ['wanted_value'],
    columns: {
      present_value: text('Present value'),
      wanted_value: text('Wanted value'),
      reason: text('Reason'),
      state: word('State'),
      requested_by: contact('Asked by'),
      question: text('Question of the registry'),
      answer: text('Answer'),
      withdrawn_by: contact('Withdrawn by'),
      resolved_at: time('Resolved'),
      note: text('Note'),
    },
    unsaid: ['organisation_change_id', 'account_name', 'field', 'requested_at', 'reviewer', 'resolved_by'],
  },
  account_closure_request: {
    what: 'Request to close the account',
    key: ['account_closure_request_id'],
    owner: 'account_name',
    needs: 'contacts-details-view',
    name: ['close_on'],
    columns: {
      reason: text('Reason'),
      close_on: date('Closes on'),
      resources: word('Resources'),
      state: word('State'),
      requested_by: contact('Asked by'),
      withdrawn_by: contact('Withdrawn by'),
      resolved_at: time('Resolved'),
      ended_at: time('Ended'),
      note: text('Note'),
    },
    unsaid: ['account_closure_request_id', 'account_name', 'requested_at', 'resolved_by'],
  },
  referral: {
    what: 'Referral',
    key: ['referral_id'],
    owner: 'account_name',
    needs: 'tickets-resources-update',
    name: ['org_name'],
    columns: {
      state: word('State'),
      org_name: text('Customer'),
      economy: text('Economy'),
      contact_name: text('Name'),
      contact_email: text('E-mail'),
      phone: text('Telephone'),
      resources: list('Resources'),
      note: text('Note'),
      technical_contact: yesNo('Referrer as technical contact'),
      referred_by: contact('Referred by'),
      expires_at: time('Expires'),
    },
    unsaid: ['referral_id', 'account_name', 'link_id', 'sent_at', 'reminded_at', 'since', 'membership_application_id'],
  },
  maintainer_link: {
    what: 'Maintainer',
    key: ['account_name', 'maintainer'],
    owner: 'account_name',
    name: ['maintainer'],
    columns: { maintainer: text('Maintainer'), principal: yesNo('Principal') },
    unsaid: ['account_name', 'linked_at'],
  },
  delegation: {
    what: 'Delegation',
    key: ['delegation_id'],
    owner: 'account_name',
    needs: 'resources-view',
    name: ['resource'],
    columns: {
      resource: text('Resource'),
      size: text('Size'),
      type: word('Type'),
      status: word('Status'),
      source: word('Source'),
      portable: yesNo('Portable'),
      delegated_on: date('Delegated on'),
      hold_until: date('Held until'),
      economy: text('Economy'),
    },
    unsaid: ['delegation_id', 'kind', 'first', 'last', 'first_as', 'last_as', 'account_name', 'registry', 'date_text', 'extensions'],
  },
  assignment: {
    what: 'Registration',
    key: ['assignment_id'],
    owner: 'account_name',
    needs: 'resources-view',
    name: ['resource'],
    columns: {
      resource: text('Resource'),
      size: text('Size'),
      type: word('Type'),
      netname: text('Netname'),
      descr: text('Description'),
      customer: text('Customer'),
      visibility: word('Visibility'),
      economy: text('Economy'),
      registered_on: date('Registered on'),
    },
    unsaid: ['assignment_id', 'delegation_id', 'account_name', 'kind', 'first', 'last', 'level', 'from_whois', 'updated_at'],
  },
  customer: {
    what: 'Customer',
    key: ['account_name', 'customer'],
    owner: 'account_name',
    needs: 'whois-private-objects-view',
    name: ['customer'],
    columns: {
      customer: text('Name'),
      address: text('Address'),
      economy: text('Economy'),
      contact_name: text('Contact'),
      phone: text('Telephone'),
      email: text('E-mail'),
      remarks: text('Remarks'),
      visibility: word('New assignments'),
    },
    unsaid: ['account_name', 'updated_at'],
  },
};

/** Tables with a history that belongs in no account's log, and why. */
export const otherTables: Readonly<Record<string, string>> = {
  login: 'a person’s, not an account’s',
  login_subject: 'a person’s',
  login_password: 'a person’s',
  login_totp: 'a person’s',
  login_passkey: 'a person’s',
  login_recovery_code: 'a person’s',
  freeze_link: 'of one mail, and of the login it stands for',
  link_attempt: 'what somebody tried, whether or not there is such an account',
  stored_file: 'content, whoever sent it',
  mail_refusal: 'an address’s, whoever writes to it',
  notification_preference: 'a person’s',
  notification_digest: 'a person’s',
  notification_address: 'a person’s',
  two_person_rule: 'one fact, which the line itself says',
  proposal: 'the lines of proposing and deciding say what it is',
  staff_visit: 'the registry’s; the visit itself is a line of the account',
  membership_application: 'an applicant’s, who has no account yet',
  application_event: 'an applicant’s',
  reserved_account_name: 'an applicant’s',
  pool: 'nobody’s space',
  statistics_file: 'the registry’s',
  signing_key: 'the registry’s',
  nrtm_key: 'the registry’s',
  whois_follow: 'a person’s',
  irt_contact: 'an irt’s, whoever’s resources name it',
  whois_consent: 'what waits for somebody’s word; the lines of asking and answering say what it is',
  maintainer_code: 'what waits for a code; the link it becomes is shown',
  maintainer_last_user: 'what waits for a day; that somebody lost a maintainer is shown',
};
