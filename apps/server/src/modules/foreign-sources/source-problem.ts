/** Why a source could not be followed, in a sentence for its operator. The last copy stays. */
export class SourceProblem extends Error {}
