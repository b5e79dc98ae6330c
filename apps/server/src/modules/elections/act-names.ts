import { type ActNames, nameById, nameIn } from '../../platform/act-names.ts';

export const electionNames: ActNames = {
  // Members don't learn of a draft.
  election: nameById(async ({ read, id, asStaff }) => {
    const election = await read.selectFrom('election').select(['title', 'state']).where('electionId', '=', id).executeTakeFirst();
    return election && (asStaff || election.state !== 'draft') ? election.title : null;
  }),
  nominee: nameIn('nomination', { id: 'nominationId', name: 'fullName', owner: null }),
  proxy: nameIn('electionProxy', { id: 'electionProxyId', name: 'fullName', owner: 'accountName' }),
};
