/** Pages of encrypted ballots, in one file: few people open one, and code that two of them share would be in a file that all pages load. */
export { AuthorityCeremony } from './ceremony/AuthorityCeremony.tsx';
export { Duties } from './ceremony/Duties.tsx';
export { TrusteeCeremony } from './ceremony/TrusteeCeremony.tsx';
export { ProxyBallot } from './encrypted/ProxyBallot.tsx';
export { ProxyVotes } from './encrypted/ProxyVotes.tsx';
export { VoterBallot } from './encrypted/VoterBallot.tsx';
