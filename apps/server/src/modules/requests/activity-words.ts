import type { requestDesk } from '@portal/contract/requests/desk';
import type { directDelegations } from '@portal/contract/requests/direct-delegations';
import type { eventSpace } from '@portal/contract/requests/event-space';
import type { listings } from '@portal/contract/requests/listings';
import type { recoveries } from '@portal/contract/requests/recoveries';
import type { requests } from '@portal/contract/requests/requests';
import type { subaccountRequests } from '@portal/contract/requests/subaccounts';
import { date, type ModuleWords, text, time, word, yesNo, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const requestsWords = {
  activities: {
    requests: {
      category: 'resources',
      actions: {
        startRequest: 'Start a request for resources',
        saveRequest: 'Save a request for resources',
        submitRequest: 'Send a request for resources',
        answerRequest: 'Answer the registry about a request for resources',
        writeAboutRequest: 'Write about a request for resources',
        withdrawRequest: 'Withdraw a request for resources',
        confirmOneClick: 'Take IPv6 in one click',
        acknowledgeTransfer: 'Acknowledge a transfer',
        keepHeld: 'Keep objects of a transfer',
        endHeld: 'End objects that a transfer held',
        declineTransfer: 'Decline a transfer',
        expireRequest: 'Expire a request',
        endRequest: 'End a request of a closed account',
        completePaidTransfer: 'Complete a transfer whose fee was paid',
        holdTransfer: 'Put a transfer on hold',
        remindOfQuestion: 'Remind of a question',
        remindOfOffer: 'Remind of a transfer',
        remindOfPreApproval: 'Remind of a pre-approval',
        remindOfEventSpace: 'Remind of space for an event',
        openReturn: 'Open the return of space for an event',
        serveWaitingList: 'Delegate to the first on the waiting list',
        endQuarantine: 'End a quarantine or a reservation',
        publishFiles: 'Publish the statistics of a day',
      },
    },
    'requests.subaccounts': {
      category: 'resources',
      actions: { startSubaccountRequest: 'Start a request for a sub-account' },
    },
    'requests.listings': {
      category: 'resources',
      actions: {
        addListing: 'List IPv4 for transfer',
        renewListing: 'Renew a listing',
        withdrawListing: 'Withdraw a listing',
        askAboutListing: 'Write about a listing',
        reportListing: 'Report a listing',
        removeListing: 'Remove a listing',
        expireListing: 'Expire a listing',
        remindOfListing: 'Remind of a listing',
        deleteListingMessages: 'Delete old messages about listings',
      },
    },
    'requests.eventSpace': {
      category: 'resources',
      actions: { extendEventSpace: 'Set a later last day of space for an event' },
    },
    'requests.directDelegations': { category: 'resources', actions: { openDirectDelegation: 'Open a direct delegation' } },
    'requests.recoveries': { category: 'resources', actions: { openRecovery: 'Give notice of the recovery of resources' } },
    'requests.desk': {
      category: 'resources',
      actions: {
        reviewRequest: 'Review a request for resources',
        askAboutRequest: 'Ask about a request for resources',
        noteOnRequest: 'Add a note to a request for resources',
        approveRequest: 'Approve a request for resources',
        completeTransfer: 'Complete a transfer',
        refuseRequest: 'Reject a request for resources',
      },
    },
  },
  rows: {
    resource_request: {
      what: 'Request',
      key: ['resource_request_id'],
      owner: 'account_name',
      needs: 'tickets-resources-view',
      name: ['resource_request_id'],
      columns: {
        kind: word('Kind'),
        state: stateWord('State'),
        recipient_name: text('Recipient'),
        other_registry: text('Other registry'),
        submitted_at: time('Sent'),
        expires_at: time('Expires'),
        note: text('Note'),
        fee: text('Transfer fee'),
        fee_paid_on: date('Fee paid on'),
        resolved_at: time('Closed'),
        recovery_ground: word('Taken back because'),
        notice_until: date('Notice until'),
        direct: yesNo('Delegated without a request'),
      },
      unsaid: [
        'resource_request_id',
        'account_name',
        'version',
        'form',
        'receive_form',
        'agreed',
        'subaccount_id',
        'requested_by',
        'started_at',
        'since',
        'reminders',
        'reviewer',
        'decided_by',
        'by_robot',
        'outcome',
        'fee_reference',
      ],
    },
    listing: {
      what: 'Listing',
      key: ['listing_id'],
      owner: 'account_name',
      needs: 'tickets-resources-view',
      name: ['resource'],
      columns: {
        kind: word('Kind'),
        resource: text('Block'),
        length: text('Prefix length'),
        names_holder: yesNo('Block and holder shown'),
        inter_registry: yesNo('Other registries'),
        notes: text('Notes'),
        state: stateWord('State'),
        expires_on: date('Expires'),
        ended_why: text('Reason'),
      },
      unsaid: ['listing_id', 'account_name', 'first', 'last', 'listed_by', 'listed_at', 'reminded_on', 'ended_at'],
    },
    pre_approval: {
      what: 'Pre-approval',
      key: ['pre_approval_id'],
      owner: 'account_name',
      needs: 'tickets-resources-view',
      name: ['expires_on'],
      columns: {
        granted: text('/24 blocks'),
        remaining: text('/24 blocks left'),
        granted_on: date('Granted'),
        expires_on: date('Expires'),
        replaced_on: date('Replaced'),
      },
      unsaid: ['pre_approval_id', 'account_name', 'resource_request_id', 'reminded_on'],
    },
  },
  unshown: {
    held_object: 'what a transfer handed over for a time, whose case lists it; that it ends has a line of its own',
    listing_message: 'what holders wrote to each other about a listing',
    resource_request_question: 'a part of the conversation of a case; the lines of asking and answering tell of it',
    resource_request_event: 'the conversation of a case, which may hold the other party’s words and internal notes',
  },
} satisfies ModuleWords<{
  requests: typeof requests;
  'requests.desk': typeof requestDesk;
  'requests.directDelegations': typeof directDelegations;
  'requests.recoveries': typeof recoveries;
  'requests.listings': typeof listings;
  'requests.eventSpace': typeof eventSpace;
  'requests.subaccounts': typeof subaccountRequests;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    requests: typeof requestsWords;
  }
}
