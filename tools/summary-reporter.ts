export default class SummaryReporter {}
