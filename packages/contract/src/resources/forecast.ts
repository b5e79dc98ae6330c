/** Delegations of a year from which its pace says something about the next ones: of fewer there is no forecast of how long free numbers last. */
export const MIN_DELEGATIONS = 12;
