"""The JSON of the API, as types.

Made by python/generate_client.py from suite/openapi.json. Do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


class ActionAssessment(TypedDict):
    """The policy's result for an action that a decision proposes."""
    action_type: str
    outcome: RoutingOutcome
    required_approvers: int
    routes: list[PolicyRoute]
    rule: RoutingRule


class ActiveHolds(TypedDict):
    """The holds that are in place, by their ids."""
    holds: list[Hold]


class Actor(TypedDict):
    """Who acted."""
    id: NotRequired[str]
    kind: ActorKindName

ActorKindName: TypeAlias = "Literal[\"agent\", \"person\", \"system\"]"


class AddedDocument(TypedDict):
    """A document of the store."""
    chunks: int
    document_id: str
    filename: str
    index: int
    is_new: bool
    sha256: Digest

AiSdkSourcePart: TypeAlias = "dict[str, Json]"


class AmendmentEntry(TypedDict):
    """An amendment, in the form of the contract, of its origin or of a change of status."""
    action: NotRequired[str | None]
    amendment_number: NotRequired[int | None]
    amendment_source_clause: NotRequired[str | None]
    clause: NotRequired[str | None]
    doc_id: NotRequired[str | None]
    status: NotRequired[str | None]

AmendmentsOrNull: TypeAlias = "list[AmendmentEntry] | None"


class AnswerEvent(TypedDict):
    """An event of a streamed check: its name and its data, as in the event stream."""
    data: str
    event: AnswerEventName

AnswerEventName: TypeAlias = "Literal[\"claim\", \"withdrawn\", \"job\", \"ledger\", \"problem\"]"


class AnswerReadiness(TypedDict):
    """The state of an answer, and the number of claims behind it."""
    claims: NotRequired[int]
    state: AnswerState

AnswerState: TypeAlias = "Literal[\"nothing_to_check\", \"needs_person\", \"needs_correction\", \"ready\"]"

AnthropicCitation: TypeAlias = "dict[str, Json]"


class ApiKeyList(TypedDict):
    """The keys of a tenant, in the order in which they were made."""
    api_keys: list[StoredApiKey]

ApiKeyScope: TypeAlias = "Literal[\"view\", \"record\", \"review\", \"export\", \"administer\"]"

ApprovalClass: TypeAlias = "Literal[\"A0\", \"A1\", \"A2\", \"A3\"]"

ApprovalLifecycle: TypeAlias = "Literal[\"waiting\", \"approved\", \"used\", \"expired\", \"void\"]"

ApprovalMatter: TypeAlias = "ExportMatter | TrailMatter | ErasureMatter"

ApprovalOrder: TypeAlias = "ExportApprovalOrder | TrailApprovalOrder | ErasureApprovalOrder"


class ApprovalPage(TypedDict):
    """A page of a list."""
    items: list[ApprovalSummary]
    next_cursor: NotRequired[str]


class ApprovalRequestPage(TypedDict):
    """A page of a list."""
    items: list[ApprovalRequestSummary]
    next_cursor: NotRequired[str]


class ApprovalRequestSummary(TypedDict):
    """A request for approval."""
    approval_class: NotRequired[ApprovalClass]
    approved_by: list[ApproverSummary]
    asked_at: Time
    asked_by: str
    expires_at: Time
    index: int
    matter: ApprovalMatter
    missing: list[str]
    object: str
    request_id: str
    required_approvers: int
    state: ApprovalLifecycle

ApprovalState: TypeAlias = "Literal[\"waiting\", \"approved\", \"rejected\"]"


class ApprovalSummary(TypedDict):
    """A member's approval."""
    approval_id: str
    approver: str
    credential: str
    expires_at: Time
    given_at: Time
    index: int
    matter: ApprovalMatter
    object: str
    state: ApprovalLifecycle
    titles: str
    used_by: NotRequired[int]


class ApprovalVote(TypedDict):
    """One person's vote on a pack."""
    approver: str
    at: Time
    outcome: VoteOutcome
    reason: NotRequired[str]
    titles: list[MemberTitle]


class ApproverSummary(TypedDict):
    """Who approved something."""
    at: Time
    expires_at: Time
    name: str
    titles: list[MemberTitle]


class ArtifactUses(TypedDict):
    """Where an artifact was used."""
    artifact: str
    bundles: list[BundleUse]
    runs: list[RunUse]


class AskedSession(TypedDict):
    """A session, as its ledger is shown with it."""
    id: str
    mode: str | None
    query: str | None


class Bundle(TypedDict):
    """An ordered, bounded choice of items under one policy, given to a model."""
    build_version: str
    bundle_id: Uuid
    bundle_sha256: Digest
    created_utc: Time
    cuts: list[BundleCut]
    items: list[BundleItem]
    policy: BundlePolicy
    problems: list[BundleProblem]
    summary: BundleSummary


class BundleBounding(TypedDict):
    """The effect of the limits of the whole."""
    applied: bool
    final_count: int
    items_dropped: int
    max_total_bytes: int
    note: NotRequired[str]
    original_count: int
    total_bytes: int


class BundleCut(TypedDict):
    """Something the policy left out, and why."""
    byte_count: int
    evidence_id: str
    reason: BundleLimit


class BundleItem(TypedDict):
    """One piece in a bundle."""
    anchor: str
    byte_count: int
    content: str
    content_sha256: str
    evidence_id: str
    evidence_type: EvidenceKind
    full_ref: NotRequired[FullRef]
    metadata: ItemMetadata
    offsets: NotRequired[ByteOffsets]
    source_ref: SourceRef

BundleLimit: TypeAlias = "Literal[\"max_items\", \"max_total_bytes\"]"


class BundleListEntry(TypedDict):
    """A bundle, as a list shows it."""
    bundle_id: str
    bundle_sha256: Digest
    created_utc: Time
    index: int
    item_count: int
    total_bytes: int


class BundlePage(TypedDict):
    """A page of a list."""
    items: list[BundleListEntry]
    next_cursor: NotRequired[str]


class BundlePolicy(TypedDict):
    """The limits that a bundle is built under."""
    chunk_overlap: int
    chunk_size: int
    enable_redaction: bool
    max_item_bytes: int
    max_items: int
    max_sql_cols: int | None
    max_sql_rows: int
    max_total_bytes: int
    redaction_rules: NotRequired[list[MaskRule]]
    sampling_strategy: RowSampling
    version: str


class BundlePolicyOrder(TypedDict):
    """Limits; an absent one has its default."""
    chunk_overlap: NotRequired[int | None]
    chunk_size: NotRequired[int | None]
    enable_redaction: NotRequired[bool | None]
    max_item_bytes: NotRequired[int | None]
    max_items: NotRequired[int | None]
    max_sql_cols: NotRequired[int | None]
    max_sql_rows: NotRequired[int | None]
    max_total_bytes: NotRequired[int | None]
    redaction_rules: NotRequired[list[MaskRuleOrder] | None]
    sampling_strategy: NotRequired[RowSampling | None]
    version: NotRequired[str | None]


class BundleProblem(TypedDict):
    """A reference or a document that could not be used."""
    document_id: NotRequired[str]
    lake_uri: NotRequired[str]
    message: str
    path: str
    query_key: NotRequired[str]
    reason: str


class BundleRequest(TypedDict):
    """The content of a bundle."""
    created_utc: NotRequired[Time | None]
    evidence_refs: NotRequired[EvidenceRefs | None]
    job_input: NotRequired[JobInput | None]
    policy: NotRequired[BundlePolicyOrder | None]


class BundleResponse(TypedDict):
    """A built bundle, and where it is stored."""
    bundle: Bundle
    saved: SavedBundle


class BundleSummary(TypedDict):
    """Counts and sizes of the items that were kept."""
    approx_tokens: int
    bundle_bounding: BundleBounding
    item_count: int
    total_bytes: int
    type_counts: dict[str, int]


class BundleUse(TypedDict):
    """A bundle that contains an artifact."""
    bundle_id: str
    evidence_ids: list[str]


class ByteOffsets(TypedDict):
    """A part of a text, in bytes: of the masked text when masking is on."""
    end: int
    start: int


class CandidateChunk(TypedDict):
    """A part of a document that was found."""
    anchors: NotRequired[FreeObject | None]
    chunk_id: NotRequired[str | None]
    end_idx: NotRequired[int | None]
    heading_path: NotRequired[list[str] | None]
    item_id: str
    offsets: NotRequired[ChunkOffsets | None]
    score: NotRequired[float | None]
    score_text: NotRequired[float | None]
    score_vec: NotRequired[float | None]
    start_idx: NotRequired[int | None]
    text: str
    token_count: NotRequired[int | None]


class CharOffsets(TypedDict):
    """A range of characters."""
    end: int
    start: int


class CheckOrder(TypedDict):
    """The evidence to check an answer against."""
    documents: NotRequired[list[str] | None]
    language: NotRequired[LanguageCode | None]

CheckStatus: TypeAlias = "Literal[\"pass\", \"fail\", \"incomplete\"]"


class CheckSubmission(TypedDict):
    """An answer, and one of `chunks`, `bundle_id` and `documents`."""
    answer: str
    bundle_id: NotRequired[str | None]
    chunks: NotRequired[list[RetrievedChunk] | None]
    documents: NotRequired[list[str] | None]
    language: NotRequired[LanguageCode | None]
    mode: NotRequired[str | None]
    question: NotRequired[str | None]
    session_id: NotRequired[str | None]

ChunkOffsets: TypeAlias = "list[int] | SnippetSpanOrder"


class CitableChunk(TypedDict):
    """A chunk that citations may name."""
    chunk_id: str
    document: NotRequired[EvidenceDocument]
    text: str


class CitationResolution(TypedDict):
    """The target of a citation, or why it has none."""
    chunk: NotRequired[CitableChunk]
    chunk_hash: str
    claim_id: NotRequired[str]
    error: NotRequired[str]
    position: NotRequired[int]
    resolved: bool


class CitationSource(TypedDict):
    """One item beside the answer."""
    anchor: NotRequired[str]
    kind: str
    metadata: FreeObject
    rank: int
    score: float | None
    snippet: str | None
    snippet_from: SnippetOrigin
    snippets: NotRequired[list[SourceSnippet]]
    source_id: str
    span: NotRequired[SnippetSpan]
    title: str | None
    url: str | None

ClaimImportance: TypeAlias = "Literal[\"minor\", \"material\", \"critical\"]"


class ClaimIssue(TypedDict):
    """A defect of a claim's evidence that its reader must know."""
    citation: NotRequired[str]
    detail: NotRequired[str]
    document: NotRequired[EvidenceDocument]
    message: str
    ruling: NotRequired[ConflictRuling]
    stance: NotRequired[Stance]
    type: IssueKind

ClaimKind: TypeAlias = "Literal[\"fact\", \"policy\", \"numeric\", \"definition\"]"


class ClaimReview(TypedDict):
    """One person's review of one claim."""
    action: ClaimReviewAction
    assigned_to: NotRequired[str]
    at: Time
    claim_id: str
    ledger_id: str
    reason: NotRequired[str]
    reviewer: str

ClaimReviewAction: TypeAlias = "Literal[\"agreed\", \"disagreed\", \"resolved\", \"commented\", \"assigned\"]"


class ClaimReviewList(TypedDict):
    """The reviews of a session's claims."""
    readiness: NotRequired[AnswerReadiness]
    reviews: list[ClaimReview]


class ClaimReviewOrder(TypedDict):
    """A review of a claim."""
    action: ClaimReviewAction
    assigned_to: NotRequired[str | None]
    claim_id: str
    ledger_id: str
    reason: NotRequired[str | None]


class ClosedLedger(TypedDict):
    """A ledger that was closed."""
    documents: NotRequired[list[AddedDocument]]
    id: str
    index: int
    leaf: Digest
    ledger_id: str
    session_id: str
    sha256: Digest
    supersedes: NotRequired[str]


class CompletenessEnvelope(TypedDict):
    """A statement of completeness, signed."""
    payload: str
    payloadType: str
    signatures: list[CompletenessSignature]


class CompletenessSignature(TypedDict):
    """A signature of a statement."""
    keyid: str
    sig: str

ConfidenceBand: TypeAlias = "Literal[\"high\", \"good\", \"moderate\", \"low\", \"very_low\"]"


class ConflictReason(TypedDict):
    """Two phrases that cannot both be true."""
    claim_words: str
    evidence_words: str

ConflictRuling: TypeAlias = "Literal[\"named\", \"amended\", \"open\"]"


class ConsistencyProof(TypedDict):
    """The proof that a trail only grew."""
    new: ProvedHead
    old: ProvedHead
    proof: list[Digest]


class DecisionEvidence(TypedDict):
    """Evidence for a decision."""
    confidence: NotRequired[Score | None]
    content_hash: NotRequired[str | None]
    excerpt: NotRequired[str | None]
    reference: NotRequired[str | None]
    retrieved_at: NotRequired[Time | None]
    source: NotRequired[str | None]
    uri: NotRequired[str | None]


class DecisionOrder(TypedDict):
    """A decision to record."""
    action_type: NotRequired[str | None]
    agent_name: NotRequired[str | None]
    approval_class: NotRequired[ApprovalClass | None]
    confidence: NotRequired[Score | None]
    correlation_id: NotRequired[str | None]
    created_at: NotRequired[Time | None]
    data_freshness_window_hours: NotRequired[int | None]
    decision_id: str
    entity_id: NotRequired[str | None]
    evidence: NotRequired[list[DecisionEvidence] | None]
    freshness_window_hours: NotRequired[int | None]
    locale: NotRequired[LanguageCode | None]
    model: NotRequired[str | None]
    model_version: NotRequired[str | None]
    next_actions: NotRequired[list[ProposedAction] | None]
    objective: NotRequired[str | None]
    options_considered: NotRequired[list[TextOrObject] | None]
    pdpl_check: NotRequired[bool | None]
    policy_requirements: NotRequired[list[PolicyRequirement] | None]
    prompts: NotRequired[list[PromptTemplateUseOrder] | None]
    rationale: NotRequired[str | None]
    recommendation: NotRequired[FreeObject | None]
    reversibility_class: NotRequired[ReversibilityClass | None]
    schema_version: NotRequired[SchemaVersionName | None]
    sensitivity_class: NotRequired[SensitivityClass | None]
    session_id: NotRequired[str | None]
    span_id: NotRequired[str | None]
    tenant_id: NotRequired[str | None]
    trace_id: NotRequired[str | None]


class DecisionPage(TypedDict):
    """A page of a list."""
    items: list[DecisionSummary]
    next_cursor: NotRequired[str]


class DecisionSummary(TypedDict):
    """A decision, as a list shows it."""
    action: str | None
    agent_name: str | None
    classes: list[str]
    confidence: float | None
    created_at: Time
    decision_id: str
    entity_id: str | None
    index: int
    requirement: PackRequirement


class DecisionToolCalls(TypedDict):
    """The tool calls of a decision."""
    tool_calls: list[JoinedToolCall]


class DeclinedReview(TypedDict):
    """A member who declined to decide about a version."""
    at: Time
    reason: str
    reviewer: str
    titles: list[MemberTitle]

Digest: TypeAlias = "str"


class DocumentForm(TypedDict):
    """A document in a form."""
    file: FileBytes

DocumentOrNull: TypeAlias = "ObligationDocument | None"


class DocumentPage(TypedDict):
    """A page of a list."""
    items: list[DocumentSummary]
    next_cursor: NotRequired[str]


class DocumentSummary(TypedDict):
    """A document, as a list shows it."""
    document_date: NotRequired[str]
    document_id: str
    filename: str
    index: int
    media_type: str
    pages: NotRequired[int]
    retrieved_at: Time
    sha256: Digest
    size: int


class DocumentUploadResponse(TypedDict):
    """A stored document, and the parts of it that could not be read."""
    chunks: int
    document_id: str
    filename: str
    index: int
    is_new: bool
    problems: NotRequired[list[str]]
    sha256: Digest
    unread: NotRequired[str]


class DownloadLink(TypedDict):
    """Where to fetch an export, and until when."""
    download_url: str
    expires_at: str


class DsseEnvelope(TypedDict):
    """A DSSE envelope: bytes with their signatures."""
    payload: str
    payloadType: str
    signatures: list[DsseSignature]


class DsseSignature(TypedDict):
    """A signature over an envelope."""
    keyid: str
    sig: str

EraseActionName: TypeAlias = "Literal[\"erase\"]"


class ErasureApprovalOrder(TypedDict):
    """The erasure of payloads."""
    action: EraseActionName
    legal_basis: LegalBasis
    records: NotRequired[list[int] | None]
    scope: str


class ErasureMatter(TypedDict):
    """The erasure of payloads."""
    action: EraseActionName
    legal_basis: LegalBasis
    records: NotRequired[list[int]]
    scope: str


class ErasureOrder(TypedDict):
    """The records to erase."""
    legal_basis: LegalBasis
    records: NotRequired[list[int] | None]
    rehearse: NotRequired[bool | None]
    scope: str


class ErasureResponse(TypedDict):
    """The result of an erasure, for records and for the lake."""
    erased: list[int]
    objects_gone: int
    objects_kept: int
    record: NotRequired[RecordAck]


class EvidenceChunk(TypedDict):
    """A part of a document or transcript."""
    chunk_index: int
    document_id: str
    metadata: NotRequired[FreeObject | None]
    offsets: NotRequired[ByteOffsets | None]
    source_uri: NotRequired[str | None]
    text: str


class EvidenceDocument(TypedDict):
    """Where a chunk is from."""
    date: NotRequired[str]
    filename: str
    heading_path: NotRequired[list[str]]
    id: str
    metadata: NotRequired[FreeObject]
    page_number: NotRequired[int]
    truncated: NotRequired[bool]
    uri: NotRequired[str]

EvidenceKind: TypeAlias = "Literal[\"inline_text\", \"lake_text\", \"lake_http\", \"sql_result\", \"sql_query_def\", \"doc_chunk\", \"transcript_chunk\"]"


class EvidencePassage(TypedDict):
    """Words of a document that say something about a claim."""
    amends: NotRequired[list[str]]
    chunk_id: str
    document: EvidenceDocument
    hidden: NotRequired[str]
    judge: NotRequired[VerdictJudge]
    missing: NotRequired[str]
    named: NotRequired[bool]
    offsets: NotRequired[CharOffsets]
    reason: NotRequired[ConflictReason]
    similarity: Score
    snippet: str
    stance: Stance


class EvidenceRefs(TypedDict):
    """Evidence beside that of the job."""
    doc_chunks: NotRequired[list[EvidenceChunk] | None]
    sql_queries: NotRequired[list[SqlQuery] | None]
    transcript_chunks: NotRequired[list[EvidenceChunk] | None]


class ExpectedObligations(TypedDict):
    """The obligations that should have evidence."""
    expected_obligation_ids: list[str]

ExportActionName: TypeAlias = "Literal[\"export_pack\", \"export_ledger\"]"


class ExportApprovalOrder(TypedDict):
    """The export of a pack or a ledger."""
    action: ExportActionName
    content: NotRequired[Digest | None]
    format: ExportFormat
    language: NotRequired[LanguageCode | None]
    object: str
    reason: str

ExportFormat: TypeAlias = "Literal[\"json\", \"sealed\", \"in-toto\", \"markdown\", \"pdf\", \"archive\", \"sarif\", \"junit\", \"ledger\"]"


class ExportMatter(TypedDict):
    """The export of a pack or a ledger."""
    action: ExportActionName
    content: NotRequired[Digest]
    format: ExportFormat
    language: NotRequired[LanguageCode]
    object: str
    reason: str


class ExportOrder(TypedDict):
    """The format of an export, and the reason for it."""
    format: ExportFormat
    language: NotRequired[LanguageCode | None]
    reason: str


class ExportPage(TypedDict):
    """A page of a list."""
    items: list[ExportSummary]
    next_cursor: NotRequired[str]


class ExportSummary(TypedDict):
    """An export, as a list shows it."""
    approved_by: str | None
    at: Time
    export_id: str
    exported_by: NotRequired[str]
    format: str
    index: int
    reason: str | None
    sha256: NotRequired[Digest]
    subject: str


class ExtractedObligation(TypedDict):
    """An obligation as a model found it, with the fields of its origin: some are stored as its
    terms."""
    amendment_history: NotRequired[FreeValue]
    confidence: NotRequired[ScoreOrText]
    counterparty: NotRequired[FreeValue]
    deadline: NotRequired[FreeValue]
    doc_id: str
    extraction_model: str
    frequency: NotRequired[FreeValue]
    id: NotRequired[FreeValue]
    obligation_id: str
    obligation_text: NotRequired[FreeValue]
    obligation_type: NotRequired[FreeValue]
    responsible_party: NotRequired[FreeValue]
    section_reference: NotRequired[str | None]
    source_clause: str
    source_doc_id: NotRequired[FreeValue]
    source_page: NotRequired[int | None]
    status: NotRequired[FreeValue]


class Fault(TypedDict):
    """One fault of a request."""
    hint: NotRequired[str | None]
    message: str
    path: str
    rule: str


class FieldRedaction(TypedDict):
    """A mask, and the field it is in when that is not the content."""
    digest: NotRequired[str]
    end: int
    field: NotRequired[str]
    replacement: str
    rule: str
    start: int

FileBytes: TypeAlias = "str"


class FlagAcknowledgement(TypedDict):
    """A finding that is acknowledged."""
    path: str
    rule: str

FreeObject: TypeAlias = "dict[str, Json]"

FreeValue: TypeAlias = "Json"


class FullRef(TypedDict):
    """Where the full content of a shortened item is, and how to verify it."""
    col_count: NotRequired[int]
    full_sha256: NotRequired[Digest]
    full_size: NotRequired[int]
    lake_uri: str
    row_count: NotRequired[int]


class HealthResponse(TypedDict):
    """The health of the server."""
    status: str
    version: str


class Hold(TypedDict):
    """A hold that is in place."""
    covers: HoldCoverage
    hold_id: str
    reason: str
    scope: str


class HoldCoverage(TypedDict):
    """The records that a hold protects from erasure."""
    records: int
    rests_on: list[str]


class HoldOrder(TypedDict):
    """A hold to place."""
    hold_id: str
    reason: str
    scope: str


class HttpMeta(TypedDict):
    """Metadata of a response."""
    body_original_size: int
    body_truncated: bool
    header_size: int
    status_code: FreeValue
    url: str | None


class HttpSourceRef(TypedDict):
    """A kept HTTP response."""
    lake_uri: str
    url: str


class IgnoredFields(TypedDict):
    """How many candidates and chunks have each field that the format does not know."""
    candidates: dict[str, int]
    evidence_chunks: dict[str, int]


class ImportanceCounts(TypedDict):
    """How many of each importance."""
    critical: int
    material: int
    minor: int


class InlineEvidence(TypedDict):
    """A text in the request."""
    metadata: NotRequired[FreeObject | None]
    source_uri: NotRequired[str | None]
    text: str


class InlineSourceRef(TypedDict):
    """Text in the request itself."""
    index: int
    source_uri: str

IntendedPhaseName: TypeAlias = "Literal[\"intended\"]"


class IntendedToolCall(TypedDict):
    """An announced call of a tool."""
    agent_name: NotRequired[str | None]
    decision_id: NotRequired[str | None]
    inputs: NotRequired[FreeObject | None]
    intended_action: TextOrObject
    phase: IntendedPhaseName
    tool_call_id: str
    tool_name: str


class InvitationList(TypedDict):
    """The invitations of a tenant, the newest first."""
    invitations: list[StoredInvitation]

InvitationState: TypeAlias = "Literal[\"open\", \"used\", \"withdrawn\", \"expired\"]"

IssueKind: TypeAlias = "Literal[\"unresolved_citation\", \"unrelated_citation\", \"conflicting_sources\", \"may_conflict\", \"hidden_evidence\", \"missing_part\"]"


class IssuedApiKey(TypedDict):
    """A new key."""
    actor: str
    api_key: str
    created_at: Time
    expires_at: NotRequired[Time]
    key_id: str
    record: RecordAck
    revoked_at: NotRequired[Time]
    scopes: list[ApiKeyScope]


class IssuedInvitation(TypedDict):
    """A new invitation."""
    created_at: Time
    expires_at: Time
    invitation_id: str
    invited_by: str
    link: str
    name: str
    record: RecordAck
    role: MemberRole
    state: InvitationState
    titles: list[MemberTitle]
    token: str


class ItemBounding(TypedDict):
    """How an item was bounded."""
    applied: bool
    bounded_size: int
    note: NotRequired[str]
    original_size: int
    truncation_point: NotRequired[int]


class ItemMetadata(TypedDict):
    """How an item was bounded, masked and sampled, and the metadata from the request."""
    bounding: ItemBounding
    http_meta: NotRequired[HttpMeta]
    query_key: NotRequired[str]
    redactions: NotRequired[RedactionSummary]
    sql_meta: NotRequired[SqlMeta]


class Job(TypedDict):
    """A job."""
    accepted_at: Time
    ended_at: NotRequired[Time]
    index: int
    job_id: str
    result: NotRequired[JobResult]
    state: JobState
    subject: str
    work: JobKind


class JobEvent(TypedDict):
    """An event of a job: its name and its data, as in the event stream."""
    data: str
    event: JobEventName

JobEventName: TypeAlias = "Literal[\"progress\", \"end\"]"


class JobExtraParams(TypedDict):
    """The parameters of a job."""
    evidence: NotRequired[list[InlineEvidence] | None]


class JobFailure(TypedDict):
    """Why a job failed, for the record of its end."""
    refused: list[Fault]


class JobInput(TypedDict):
    """A job."""
    extra_params: NotRequired[JobExtraParams | None]

JobKind: TypeAlias = "Literal[\"check\"]"


class JobPage(TypedDict):
    """A page of a list."""
    items: list[Job]
    next_cursor: NotRequired[str]


class JobProgress(TypedDict):
    """The progress of a job."""
    all: int
    done: int
    stage: JobStageName


class JobResponse(TypedDict):
    """A job, and its progress while it runs."""
    accepted_at: Time
    ended_at: NotRequired[Time]
    index: int
    job_id: str
    progress: NotRequired[JobProgress]
    result: NotRequired[JobResult]
    state: JobState
    subject: str
    work: JobKind

JobResult: TypeAlias = "ClosedLedger | JobFailure"

JobStageName: TypeAlias = "Literal[\"waiting\", \"reading\", \"judging\"]"

JobState: TypeAlias = "Literal[\"accepted\", \"done\", \"failed\"]"


class JoinedToolCall(TypedDict):
    """A call: the announcement and the report."""
    actual_action: TextOrObject
    agent_name: NotRequired[str | None]
    decision_id: NotRequired[str | None]
    inputs: NotRequired[FreeObject | None]
    intended_action: TextOrObject
    invoked_at: Time
    outcome: NotRequired[ToolCallOutcome | None]
    outputs: NotRequired[FreeObject | None]
    side_effects: NotRequired[list[str] | None]
    tool_call_id: str
    tool_name: str


class JudgeIdentity(TypedDict):
    """The judge, with enough to judge again."""
    engine: str
    model: str
    model_sha256: NotRequired[Digest]
    replies: NotRequired[list[Digest]]

JudgeKind: TypeAlias = "Literal[\"fast\", \"deep\", \"external\"]"


class KeptLedger(TypedDict):
    """A ledger or its export, stored unchanged in a pack (spec/pack.md)."""
    entries: list[KeptLedgerEntry]
    summary: KeptLedgerSummary


class KeptLedgerEntry(TypedDict):
    """A claim of a ledger in a pack."""
    claim_text: NotRequired[str]
    verdict: NotRequired[Verdict]


class KeptLedgerSummary(TypedDict):
    """The counts of a ledger in a pack; those that are present are correct."""
    evidence_coverage: NotRequired[float | None]
    total_claims: NotRequired[int]


class KeyChange(TypedDict):
    """A change of keys, with its record."""
    at: Time
    change: KeyChangeKind
    index: int
    key: str
    key_id: str

KeyChangeKind: TypeAlias = "Literal[\"added\", \"retired\", \"revoked\"]"


class KeyHistoryEntry(TypedDict):
    """One line of a key history."""
    at: Time
    change: KeyChangeKind
    key: str
    redated: NotRequired[Time]

LanguageCode: TypeAlias = "Literal[\"en\", \"ar\"]"


class Ledger(TypedDict):
    """Every claim of one answer with its verdict."""
    citations: NotRequired[list[CitationResolution]]
    created_at: Time
    documents: NotRequired[list[LedgerDocument]]
    entries: list[LedgerEntry]
    follow_up_questions: list[str]
    id: Uuid
    judge: NotRequired[JudgeIdentity]
    not_claims: NotRequired[list[NotClaim]]
    previous_ledger_id: NotRequired[str]
    risk_flags: list[RiskFlag]
    session_id: str
    summary: LedgerSummary
    updated_at: Time


class LedgerDocument(TypedDict):
    """A document that was searched for evidence."""
    chunks: int
    filename: str
    id: str
    problems: NotRequired[list[str]]
    sha256: Digest


class LedgerEntry(TypedDict):
    """One claim with its finding."""
    calculated_confidence: NotRequired[Score]
    claim_id: str
    claim_importance: ClaimImportance
    claim_text: str
    claim_type: ClaimKind
    confidence_band: ConfidenceBand
    confidence_score: Score
    end_offset: NotRequired[int]
    evidence_chunk_ids: list[str]
    evidence_offsets: NotRequired[CharOffsets]
    evidence_passages: NotRequired[list[EvidencePassage]]
    evidence_snippet: str
    findings: NotRequired[list[ClaimIssue]]
    id: Uuid
    judge: NotRequired[VerdictJudge]
    notes: str
    requires_citation: NotRequired[bool]
    source_document: EvidenceDocument | None
    start_offset: NotRequired[int]
    verdict: Verdict


class LedgerExportOrder(TypedDict):
    """The format of the export of a ledger, and the reason for it."""
    format: ExportFormat
    language: NotRequired[LanguageCode | None]
    reason: NotRequired[str | None]


class LedgerListEntry(TypedDict):
    """A ledger, as a list shows it."""
    coverage: float | None
    created_at: Time
    index: int
    ledger_id: str
    sha256: Digest
    supersedes: NotRequired[str]
    unsupported_rate: float

LedgerState: TypeAlias = "Literal[\"checked\", \"no_checkable_claim\"]"


class LedgerSummary(TypedDict):
    """The counts of the claims."""
    by_importance: ImportanceCounts
    by_verdict: VerdictCounts
    coverage_any_evidence: NotRequired[Score | None]
    evidence_coverage: Score | None
    state: LedgerState
    total_claims: int
    unsupported_rate: Score

LegalBasis: TypeAlias = "Literal[\"retention_expired\", \"data_subject_request\", \"court_order\"]"


class MaskRule(TypedDict):
    """A rule for masking beside the built-in ones."""
    name: str
    pattern: str
    replacement: str


class MaskRuleOrder(TypedDict):
    """A rule for masking beside the built-in ones."""
    name: str
    pattern: str
    replacement: NotRequired[str | None]


class Member(TypedDict):
    """A member of a tenant: the field `member` of the records that add and remove it."""
    name: str
    role: MemberRole
    titles: list[MemberTitle]


class MemberList(TypedDict):
    """The members of a tenant, by name."""
    members: list[Member]

MemberRole: TypeAlias = "Literal[\"viewer\", \"approver\", \"admin\"]"

MemberTitle: TypeAlias = "Literal[\"manager\", \"department_head\", \"legal\", \"finance\", \"executive\", \"board\"]"


class Memo(TypedDict):
    """The decision and its reasons, in both languages."""
    body_ar: str
    body_en: str
    executive_summary_ar: str
    executive_summary_en: str
    title_ar: str
    title_en: str
    translated_from: NotRequired[LanguageCode]


class MemoOrder(TypedDict):
    """The account that a person reads, in Arabic and English."""
    body_ar: str
    body_en: str
    executive_summary_ar: str
    executive_summary_en: str
    title_ar: str
    title_en: str
    translated_from: NotRequired[LanguageCode | None]


class MissingObligation(TypedDict):
    """An obligation without evidence."""
    obligation_id: str
    reason: str


class ModelRunOrder(TypedDict):
    """A run of a model, and the bundles that it used."""
    bundles: NotRequired[list[str] | None]
    model: str
    run_id: str
    status: str


class NewApiKey(TypedDict):
    """A request for an API key."""
    actor: str
    expires_at: NotRequired[Time | None]
    scopes: list[ApiKeyScope]


class NewInvitation(TypedDict):
    """A request for an invitation."""
    expires_at: NotRequired[Time | None]
    name: str
    role: MemberRole
    titles: NotRequired[list[MemberTitle] | None]


class NewMember(TypedDict):
    """A member to add."""
    name: str
    role: MemberRole
    titles: NotRequired[list[MemberTitle] | None]


class NewSession(TypedDict):
    """A question, and the answer to check."""
    answer: str
    mode: NotRequired[str | None]
    query: NotRequired[str | None]
    session_id: NotRequired[str | None]


class NewSigningKey(TypedDict):
    """A key to generate."""
    name: NotRequired[str | None]


class NotClaim(TypedDict):
    """A part of the answer that states nothing to check."""
    end: int
    reason: str
    start: int

ObligationCheckOutcome: TypeAlias = "Literal[\"CONFIRMED\", \"DISPUTED\", \"UNVERIFIED\"]"

ObligationContent: TypeAlias = "dict[str, Json] | Literal[\"missing\"] | Literal[\"altered\"]"


class ObligationCoverage(TypedDict):
    """Which obligations of a list have no evidence."""
    expected: int
    missing: list[MissingObligation]
    root: str
    size: int


class ObligationDocument(TypedDict):
    """A document, with the fields of its origin: some are stored as terms of its obligations."""
    classification_confidence: NotRequired[FreeValue]
    content_hash: NotRequired[Digest | None]
    doc_id: NotRequired[str | None]
    doc_type: NotRequired[FreeValue]
    effective_date: NotRequired[FreeValue]
    file_path: NotRequired[FreeValue]
    file_size_bytes: NotRequired[FreeValue]
    filename: str
    id: NotRequired[FreeValue]
    obligations: NotRequired[FreeValue]
    org_id: NotRequired[FreeValue]
    parent_reference_raw: NotRequired[FreeValue]
    parties: NotRequired[FreeValue]
    status: NotRequired[FreeValue]

ObligationEvent: TypeAlias = "Literal[\"recorded\", \"skipped\", \"status_changed\"]"


class ObligationEvidence(TypedDict):
    """The evidence that one document contains one obligation, in the contract's fields."""
    amendment_history: list[AmendmentEntry] | None
    confidence: Score
    doc_filename: str
    doc_id: str
    extraction_model: str
    obligation_id: str
    page_number: int | None
    section_reference: str | None
    source_clause: str
    verification_model: str
    verification_result: ObligationCheckOutcome


class ObligationHistory(TypedDict):
    """All events of an obligation, and its status."""
    as_of: NotRequired[Time]
    evidence: ObligationEvidence | None
    obligation_id: str
    records: list[ObligationRecord]
    status: str | None


class ObligationPackageFinding(TypedDict):
    """Something that a reader of a package should know."""
    message: str
    obligation_id: str
    rule: str


class ObligationPackageOrder(TypedDict):
    """Obligations and their evidence."""
    amendment_chains: NotRequired[dict[str, AmendmentsOrNull] | None]
    documents: dict[str, DocumentOrNull]
    obligations: list[ExtractedObligation]
    verifications: dict[str, VerificationOrNull]


class ObligationPage(TypedDict):
    """A page of a list."""
    items: list[ObligationSummary]
    next_cursor: NotRequired[str]


class ObligationRecord(TypedDict):
    """One record of an obligation."""
    actor: Actor
    at: Time
    content: ObligationContent
    event: ObligationEvent
    findings: NotRequired[list[RecordedFinding]]
    id: str
    index: int
    leaf: Digest
    status_findings: NotRequired[list[StatusFinding]]
    terms: NotRequired[ObligationTerms]


class ObligationResolution(TypedDict):
    """The state of one obligation, and the amendments that led to it."""
    amendment_history: list[AmendmentEntry]
    obligation_id: str
    status: ObligationStatus
    unwalked: int


class ObligationSkip(TypedDict):
    """An obligation without evidence."""
    obligation_id: str
    reason: str

ObligationStatement: TypeAlias = "ObligationEvidence | ObligationSkip"

ObligationStatus: TypeAlias = "Literal[\"ACTIVE\", \"SUPERSEDED\", \"TERMINATED\", \"UNRESOLVED\"]"


class ObligationSummary(TypedDict):
    """An obligation as a list shows it: its last record."""
    confidence: NotRequired[Score]
    doc_filename: NotRequired[str]
    event: ObligationEvent
    index: int
    obligation_id: str
    recorded_at: NotRequired[Time]
    verification_result: NotRequired[ObligationCheckOutcome]


class ObligationTerms(TypedDict):
    """The other terms of an obligation, unchanged."""
    content_hash: NotRequired[Digest]
    counterparty: NotRequired[FreeValue]
    deadline: NotRequired[FreeValue]
    effective_date: NotRequired[FreeValue]
    frequency: NotRequired[FreeValue]
    obligation_id: str
    obligation_text: NotRequired[FreeValue]
    obligation_type: NotRequired[FreeValue]
    parties: NotRequired[FreeValue]
    responsible_party: NotRequired[FreeValue]
    verification_reason: NotRequired[FreeValue]


class ObligationVerification(TypedDict):
    """The result of a second model for an obligation."""
    confidence: NotRequired[ScoreOrText]
    reason: NotRequired[FreeValue]
    result: NotRequired[str | None]
    verification_model: str
    verified: NotRequired[bool | None]

OmissionReason: TypeAlias = "Literal[\"duplicate\", \"limit\", \"invalid_input\"]"


class OmittedCandidate(TypedDict):
    """A candidate that is not shown."""
    index: int
    item_id: NotRequired[str]
    reason: OmissionReason

OpenAiAnnotation: TypeAlias = "dict[str, Json]"


class OpenApiReply(TypedDict):
    """An OpenAPI document."""
    components: FreeObject
    info: FreeObject
    openapi: str
    paths: FreeObject
    servers: list[FreeObject]
    tags: NotRequired[list[FreeObject]]


class OpenedSession(TypedDict):
    """An opened session."""
    index: int
    is_new: bool
    session_id: str


class PackAssembly(TypedDict):
    """The decision to assemble a pack for."""
    decision_id: str
    memo: NotRequired[MemoOrder | None]
    pack_id: NotRequired[str | None]


class PackChange(TypedDict):
    """One change."""
    change: PackChangeKind
    new: NotRequired[FreeValue]
    old: NotRequired[FreeValue]
    path: str

PackChangeKind: TypeAlias = "Literal[\"added\", \"removed\", \"changed\"]"


class PackContent(TypedDict):
    """The content of a pack."""
    agent_name: str
    approval_class: ApprovalClass
    approvals: NotRequired[list[ApprovalVote]]
    confidence: Score | None
    created_at: Time
    data_freshness_window_hours: int
    decided_at: Time
    decision_hash: Digest
    decision_id: str
    entity_id: str
    findings: list[PackFlag]
    ledger: NotRequired[KeptLedger]
    memo: Memo
    model: str | None
    model_version: str | None
    objective: NotRequired[str]
    options_considered: NotRequired[list[TextOrObject]]
    pack_id: str
    prompts: list[PromptTemplateUse]
    rationale: NotRequired[str]
    reasons: list[str]
    recommendation: NotRequired[FreeObject]
    requirement: PackRequirement
    reversibility_class: ReversibilityClass
    reviewed_at: Time | None
    reviewer_id: str | None
    schema_version: str
    sensitivity_class: SensitivityClass
    sources: list[PackSource]
    status: PackStatus
    supersedes: NotRequired[str]
    tenant_id: str
    tool_calls: list[ToolCall]
    trace_id: str | None
    version: int


class PackDecision(TypedDict):
    """The decision of a pack."""
    action_type: NotRequired[str | None]
    agent_name: str
    approval_class: NotRequired[ApprovalClass | None]
    confidence: NotRequired[Score | None]
    correlation_id: NotRequired[str | None]
    created_at: NotRequired[Time | None]
    data_freshness_window_hours: NotRequired[int | None]
    decision_id: str
    entity_id: str
    evidence: NotRequired[list[PackEvidence] | None]
    freshness_window_hours: NotRequired[int | None]
    locale: NotRequired[LanguageCode | None]
    model: NotRequired[str | None]
    model_version: NotRequired[str | None]
    next_actions: NotRequired[list[ProposedAction] | None]
    objective: NotRequired[str | None]
    options_considered: NotRequired[list[TextOrObject] | None]
    pdpl_check: NotRequired[bool | None]
    policy_requirements: NotRequired[list[PolicyRequirement] | None]
    prompts: NotRequired[list[PromptTemplateUseOrder] | None]
    rationale: NotRequired[str | None]
    recommendation: NotRequired[FreeObject | None]
    reversibility_class: NotRequired[ReversibilityClass | None]
    schema_version: NotRequired[SchemaVersionName | None]
    sensitivity_class: NotRequired[SensitivityClass | None]
    session_id: NotRequired[str | None]
    span_id: NotRequired[str | None]
    tenant_id: NotRequired[str | None]
    trace_id: NotRequired[str | None]


class PackDetails(TypedDict):
    """A pack, with its state."""
    created_at: Time
    decision_id: str
    index: int
    pack: PackContent
    pack_id: str
    retain_until: Time
    reviewer_id: NotRequired[str]
    sha256: Digest
    state: PackState
    status: PackStatus
    superseded_by: NotRequired[str]
    supersedes: NotRequired[str]
    version: int


class PackDifference(TypedDict):
    """The differences between two versions."""
    changes: list[PackChange]
    new: PackVersion
    old: PackVersion


class PackEvidence(TypedDict):
    """Evidence for a decision."""
    confidence: Score
    content_hash: NotRequired[str | None]
    excerpt: str
    reference: NotRequired[str | None]
    retrieved_at: Time
    source: str
    uri: NotRequired[str | None]


class PackFlag(TypedDict):
    """Something that a reader of the pack should know."""
    message: str
    path: str
    rule: str
    state: PackFlagState

PackFlagState: TypeAlias = "Literal[\"note\", \"open\", \"acknowledged\"]"


class PackPage(TypedDict):
    """A page of a list."""
    items: list[PackVersionSummary]
    next_cursor: NotRequired[str]


class PackRequest(TypedDict):
    """A pack to assemble from a complete request."""
    acknowledged: NotRequired[list[FlagAcknowledgement] | None]
    created_at: Time
    decision: PackDecision
    ledger: NotRequired[KeptLedger | None]
    memo: NotRequired[MemoOrder | None]
    pack_id: str
    prompts: NotRequired[list[PromptTemplateUseOrder] | None]
    retained: NotRequired[dict[str, str] | None]
    reviewed_at: NotRequired[Time | None]
    reviewer_id: NotRequired[str | None]
    supersedes: NotRequired[str | None]
    tool_calls: NotRequired[list[ToolCallStatement] | None]
    version: NotRequired[int | None]

PackRequirement: TypeAlias = "Literal[\"mandatory\", \"recommended\", \"skip\"]"


class PackReviewOrder(TypedDict):
    """A vote on a pack."""
    acknowledged: NotRequired[list[FlagAcknowledgement] | None]
    new_pack_id: NotRequired[str | None]
    outcome: NotRequired[ReviewAction | None]
    reason: NotRequired[str | None]


class PackReviewStatus(TypedDict):
    """The state of the review of a version."""
    approval_class: ApprovalClass
    approved_by: list[str]
    declined: NotRequired[list[DeclinedReview]]
    missing: list[str]
    pack_id: str
    required_approvers: int
    review_until: Time | None
    said: list[ApprovalVote]
    state: ApprovalState


class PackSource(TypedDict):
    """A source that was consulted."""
    confidence: Score
    content_hash: NotRequired[Digest]
    excerpt: str
    reference: NotRequired[str]
    retrieved_at: Time
    source: str
    stale: bool
    uri: NotRequired[str]

PackState: TypeAlias = "Literal[\"unresolved\", \"partly_approved\", \"rejected\", \"resolved\", \"superseded\"]"

PackStatus: TypeAlias = "Literal[\"unresolved\", \"resolved\"]"


class PackVersion(TypedDict):
    """A version of a pack."""
    pack_id: str
    version: int


class PackVersionSummary(TypedDict):
    """One version of a pack."""
    created_at: Time
    decision_id: str
    index: int
    pack_id: str
    retain_until: Time
    reviewer_id: NotRequired[str]
    sha256: Digest
    state: PackState
    status: PackStatus
    superseded_by: NotRequired[str]
    supersedes: NotRequired[str]
    version: int


class PartSourceRef(TypedDict):
    """A part of a document or transcript."""
    chunk_index: int
    document_id: str
    source_uri: NotRequired[str]


class PayloadFieldStatus(TypedDict):
    """The state of a payload field."""
    by: NotRequired[int]
    name: str
    object: NotRequired[Digest]
    verdict: PayloadVerdictName

PayloadVerdictName: TypeAlias = "Literal[\"PRESENT\", \"ERASED\", \"MISSING\", \"ALTERED\"]"


class PendingPack(TypedDict):
    """A pack that is not approved, or not yet."""
    approval_class: ApprovalClass
    approved_by: list[str]
    missing: list[str]
    pack_id: str
    required_approvers: int
    state: ApprovalState


class PlacedHold(TypedDict):
    """A hold that was placed: its record, and the records that it covers."""
    covers: HoldCoverage
    id: str
    index: int
    leaf: Digest


class PolicyRequirement(TypedDict):
    """The requirement of a policy."""
    description: NotRequired[str | None]
    policy_name: str
    required: NotRequired[bool | None]


class PolicyRoute(TypedDict):
    """A rule that applies, with its result."""
    approvers: int
    outcome: RoutingOutcome
    reason: str
    rule: RoutingRule


class Problem(TypedDict):
    """A problem (RFC 9457)."""
    detail: str
    faults: NotRequired[list[Fault] | None]
    request_id: NotRequired[str | None]
    status: int
    title: str
    type: str


class PromptTemplateUse(TypedDict):
    """One prompt template that was used."""
    rendered_length: NotRequired[int]
    system_prompt_present: NotRequired[bool]
    template_name: str
    template_version: NotRequired[str]


class PromptTemplateUseOrder(TypedDict):
    """A prompt template that was used."""
    rendered_length: NotRequired[int | None]
    system_prompt_present: NotRequired[bool | None]
    template_name: str
    template_version: NotRequired[str | None]


class ProposedAction(TypedDict):
    """An action that a decision proposes."""
    action_type: str
    approval_class: NotRequired[ApprovalClass | None]
    description: NotRequired[str | None]
    payload: NotRequired[FreeObject | None]
    pdpl_check: NotRequired[bool | None]
    policy_requirements: NotRequired[list[PolicyRequirement] | None]
    reversibility_class: NotRequired[ReversibilityClass | None]
    sensitivity_class: NotRequired[SensitivityClass | None]


class ProvedHead(TypedDict):
    """A size and its root."""
    root: Digest
    size: int


class QuerySourceRef(TypedDict):
    """The text of a query."""
    description: str
    query_key: str


class QuestionCounts(TypedDict):
    """The number of questions of a ledger in each state."""
    answered: int
    open: int
    sent_on: int


class QuestionList(TypedDict):
    """The follow-up questions of a session's newest ledger."""
    counts: QuestionCounts
    questions: list[QuestionThread]


class QuestionReply(TypedDict):
    """One person's reply to one question."""
    action: QuestionReplyAction
    at: Time
    ledger_id: str
    question: str
    replied_by: str
    sent_to: NotRequired[str]
    words: NotRequired[str]

QuestionReplyAction: TypeAlias = "Literal[\"answered\", \"sent_on\"]"


class QuestionReplyOrder(TypedDict):
    """A reply to a question."""
    action: QuestionReplyAction
    ledger_id: str
    question: str
    sent_to: NotRequired[str | None]
    words: NotRequired[str | None]

QuestionState: TypeAlias = "Literal[\"open\", \"sent_on\", \"answered\"]"


class QuestionThread(TypedDict):
    """A question of a ledger, and the replies to it."""
    question: str
    replies: list[QuestionReply]
    state: QuestionState


class ReasonOrder(TypedDict):
    """The reason for an operation."""
    reason: str


class RecordAck(TypedDict):
    """The position of an appended record."""
    id: str
    index: int
    leaf: Digest

RecordKind: TypeAlias = "Literal[\"access.refused\", \"apikey.added\", \"apikey.revoked\", \"approval.asked\", \"approval.given\", \"approval.used\", \"bundle.built\", \"checkpoint.timestamped\", \"checkpoint.witnessed\", \"claim.reviewed\", \"decision.recorded\", \"document.added\", \"export.made\", \"hold.lifted\", \"hold.placed\", \"invitation.made\", \"invitation.used\", \"invitation.withdrawn\", \"job.accepted\", \"job.ended\", \"key.added\", \"key.redated\", \"key.retired\", \"key.revoked\", \"ledger.closed\", \"member.added\", \"member.removed\", \"obligation.recorded\", \"obligation.skipped\", \"obligation.status_changed\", \"pack.reviewed\", \"pack.sealed\", \"payload.erased\", \"question.replied\", \"run.recorded\", \"session.opened\", \"tenant.created\", \"tool.intended\", \"tool.reported\"]"


class RecordPage(TypedDict):
    """A page of a list."""
    items: list[RecordSummary]
    next_cursor: NotRequired[str]


class RecordSummary(TypedDict):
    """One record."""
    actor: str
    at: Time
    id: str
    index: int
    kind: RecordKind
    leaf: Digest
    payload: list[PayloadFieldStatus]
    sequence: int
    subject: str


class RecordedClaimReview(TypedDict):
    """A recorded review."""
    id: str
    index: int
    leaf: Digest
    review: ClaimReview


class RecordedDecision(TypedDict):
    """A decision that was recorded."""
    approval_class: ApprovalClass
    approvers: int
    decision_hash: Digest
    decision_id: str
    high_stakes: bool
    id: str
    index: int
    leaf: Digest
    next_actions: NotRequired[list[ActionAssessment]]
    outcome: RoutingOutcome
    reasons: list[str]
    required_approvers: int
    requirement: PackRequirement
    reversibility_class: ReversibilityClass
    routes: list[PolicyRoute]
    rule: RoutingRule
    sensitivity_class: SensitivityClass


class RecordedFinding(TypedDict):
    """A finding as the record of its obligation keeps it."""
    message: str
    rule: str


class RecordedObligation(TypedDict):
    """An obligation whose evidence or status was recorded."""
    findings: NotRequired[list[StatusFinding]]
    id: str
    index: int
    leaf: Digest
    obligation_id: str


class RecordedPackage(TypedDict):
    """The result of packaging."""
    findings: list[ObligationPackageFinding]
    records: list[RecordedObligation]
    skipped: list[SkippedObligation]


class RecordedQuestionReply(TypedDict):
    """A recorded reply."""
    id: str
    index: int
    leaf: Digest
    reply: QuestionReply


class RecordedToolCall(TypedDict):
    """A recorded tool call."""
    id: str
    index: int
    leaf: Digest
    phase: ToolCallPhase
    tool_call_id: str


class RedactionSummary(TypedDict):
    """The values that were masked in an item."""
    enabled: bool
    redaction_count: int
    redactions: list[FieldRedaction]

ReportedPhaseName: TypeAlias = "Literal[\"reported\"]"


class ReportedToolCall(TypedDict):
    """The result of a call."""
    actual_action: TextOrObject
    outcome: ToolCallOutcome
    outputs: NotRequired[FreeObject | None]
    phase: ReportedPhaseName
    side_effects: NotRequired[list[str] | None]
    tool_call_id: str


class ResolvedObligations(TypedDict):
    """The states of obligations."""
    resolved: list[ObligationResolution]


class ResultSourceRef(TypedDict):
    """A kept result of a query."""
    lake_uri: str
    query: NotRequired[str]
    query_key: str


class RetrievedChunk(TypedDict):
    """A chunk that an application retrieved."""
    id: str
    metadata: NotRequired[FreeObject | None]
    page: NotRequired[int | None]
    text: str
    title: NotRequired[str | None]
    uri: NotRequired[str | None]

ReversibilityClass: TypeAlias = "Literal[\"R0\", \"R1\", \"R2\", \"R3\"]"

ReviewAction: TypeAlias = "Literal[\"approved\", \"declined\", \"escalated\", \"rejected\"]"

ReviewOutcome: TypeAlias = "SealedPack | PendingPack"


class RiskFlag(TypedDict):
    """One risk and the claims it touches."""
    affected_claim_ids: list[str]
    description: str
    id: Uuid
    mitigation: str
    severity: RiskSeverity
    type: RiskKind

RiskKind: TypeAlias = "Literal[\"missing_evidence\", \"contradiction\", \"low_confidence\", \"outdated_source\", \"ambiguous_evidence\", \"conflicting_sources\", \"unresolved_citation\", \"unrelated_citation\"]"

RiskSeverity: TypeAlias = "Literal[\"high\", \"medium\", \"low\"]"

RoutingOutcome: TypeAlias = "Literal[\"allow\", \"escalate\", \"deny\"]"

RoutingRule: TypeAlias = "Literal[\"never_auto_execute\", \"r3_blocks_auto\", \"a2_plus_requires_evidence\", \"s3_requires_pdpl_check\", \"low_confidence_high_stakes\", \"approval_class_routing\", \"default_allow\"]"

RowSampling: TypeAlias = "Literal[\"first_only\", \"first_last\", \"stride\"]"


class RunBundle(TypedDict):
    """A bundle that a run used."""
    bundle_id: str
    bundle_sha256: Digest
    created_utc: Time
    index: int
    item_count: int
    lake_uri: str
    total_bytes: int


class RunDetails(TypedDict):
    """A run and the bundles that it used."""
    bundles: list[RunBundle]
    created_utc: Time
    model: str
    run_id: str
    status: str


class RunUse(TypedDict):
    """A run that used an artifact."""
    bundle_id: str
    created_utc: Time
    model: str
    run_id: str


class SavedBundle(TypedDict):
    """A stored bundle."""
    bundle_id: str
    bundle_sha256: Digest
    documents: NotRequired[list[AddedDocument]]
    id: str
    index: int
    is_new: bool
    lake_uri: str
    leaf: Digest
    run: NotRequired[RecordAck]

SchemaVersionName: TypeAlias = "Literal[\"1.0\"]"

Score: TypeAlias = "float"

ScoreOrText: TypeAlias = "Score | str"


class SealedPack(TypedDict):
    """A sealed pack, as it is stored and exported."""
    envelope: DsseEnvelope
    receipt: NotRequired[str]
    salt: NotRequired[str]


class SeenHead(TypedDict):
    """A head, and when it was seen."""
    at: Time
    root: Digest
    size: int


class SelectionAccount(TypedDict):
    """Everything that was left out of the sources."""
    candidates: int
    chunks: int
    ignored_fields: IgnoredFields
    kept: int
    left_out: list[OmittedCandidate]
    problems: list[Fault]
    shortened: list[ShortenedSnippet]
    unmatched_chunks: int
    withheld_metadata: list[WithheldMetadata]

SensitivityClass: TypeAlias = "Literal[\"S0\", \"S1\", \"S2\", \"S3\"]"


class SessionDetails(TypedDict):
    """A session and its ledgers."""
    answer_sha256: Digest | None
    ledger: Ledger | None
    ledgers: list[LedgerListEntry]
    mode: NotRequired[str]
    query: str | None
    session_id: str


class SessionLedger(TypedDict):
    """A ledger, and the session that it is about."""
    ledger: Ledger
    session: AskedSession


class SessionPage(TypedDict):
    """A page of a list."""
    items: list[SessionSummary]
    next_cursor: NotRequired[str]


class SessionSummary(TypedDict):
    """A session, as a list shows it."""
    answer_sha256: Digest | None
    created_at: Time
    index: int
    mode: str | None
    query: str | None
    session_id: str


class ShortenedSnippet(TypedDict):
    """A snippet that was cut."""
    kept_chars: int
    offered_chars: int
    source_id: str


class SkippedObligation(TypedDict):
    """An obligation without evidence."""
    id: str
    index: int
    leaf: Digest
    obligation_id: str
    reason: str

SnippetOrigin: TypeAlias = "Literal[\"chunk\", \"doc\", \"unknown\"]"


class SnippetSpan(TypedDict):
    """A place in a document, in characters; the end is the first character after it."""
    end: int
    start: int


class SnippetSpanOrder(TypedDict):
    """Where something begins and ends, in characters."""
    end: int
    start: int

SortOrderName: TypeAlias = "Literal[\"score\", \"rank\", \"input\"]"


class SourceCandidate(TypedDict):
    """A document that was found."""
    item_id: str
    kind: NotRequired[str | None]
    metadata: NotRequired[FreeObject | None]
    rank_text: NotRequired[int | None]
    rank_vec: NotRequired[int | None]
    score: NotRequired[float | None]
    score_text: NotRequired[float | None]
    score_vec: NotRequired[float | None]
    snippet: NotRequired[str | None]
    snippet_from: NotRequired[str | None]
    source: NotRequired[str | None]
    source_ref: NotRequired[str | None]
    summary: NotRequired[str | None]
    title: NotRequired[str | None]


class SourceOptions(TypedDict):
    """How sources are shown."""
    anchors: NotRequired[bool | None]
    debug: NotRequired[bool | None]
    envelope: NotRequired[SourcesEnvelopeOrder | None]
    exclude_metadata_keys: NotRequired[list[str] | None]
    include_metadata_keys: NotRequired[list[str] | None]
    max_snippet_chars: NotRequired[int | None]
    max_snippets: NotRequired[int | None]
    max_sources: NotRequired[int | None]
    order_by: NotRequired[SortOrderName | None]
    prefer_chunk_snippets: NotRequired[bool | None]

SourcePart: TypeAlias = "AiSdkSourcePart | AnthropicCitation | OpenAiAnnotation"

SourceRef: TypeAlias = "InlineSourceRef | PartSourceRef | ResultSourceRef | QuerySourceRef | HttpSourceRef | TextSourceRef"


class SourceSnippet(TypedDict):
    """An excerpt of a document."""
    anchor: NotRequired[str]
    chunk_id: NotRequired[str]
    heading_path: NotRequired[list[str]]
    snippet_from: SnippetOrigin
    span: NotRequired[SnippetSpan]
    text: str


class SourcesEnvelopeOrder(TypedDict):
    """The envelope of an event."""
    protocol_version: str
    request_id: str
    seq: int
    ts: Time


class SourcesEvent(TypedDict):
    """The event that a user interface receives."""
    debug: NotRequired[SelectionAccount]
    payload: SourcesPayload
    protocol_version: NotRequired[str]
    request_id: NotRequired[str]
    seq: NotRequired[int]
    ts: NotRequired[Time]
    type: str


class SourcesPayload(TypedDict):
    """The payload of the event."""
    sources: list[CitationSource]

SourcesReply: TypeAlias = "SourcesEvent | list[SourcePart]"


class SourcesRequest(TypedDict):
    """The results of retrieval, and options for showing them."""
    answer: NotRequired[str | None]
    candidates: list[SourceCandidate]
    evidence_chunks: NotRequired[list[CandidateChunk] | None]
    options: NotRequired[SourceOptions | None]


class SqlMeta(TypedDict):
    """Metadata of a result and of the part that is shown."""
    cols_truncated: bool
    sampled_cols: int
    sampled_rows: int
    sampling_note: str
    sampling_strategy: str
    total_cols: int
    total_rows: int


class SqlQuery(TypedDict):
    """The text of a query."""
    description: NotRequired[str | None]
    metadata: NotRequired[FreeObject | None]
    query: str
    query_key: str

Stance: TypeAlias = "Literal[\"supports\", \"supports_in_part\", \"contradicts\", \"may_conflict\"]"


class StatusChangeOrder(TypedDict):
    """A change of the status of an obligation."""
    changed_by_doc_id: NotRequired[str | None]
    new_status: str
    obligation_id: str
    old_status: str
    reason: str


class StatusFinding(TypedDict):
    """An irregularity in a change of status."""
    message: str
    rule: str


class StoredApiKey(TypedDict):
    """The stored part of a key."""
    actor: str
    created_at: Time
    expires_at: NotRequired[Time]
    key_id: str
    revoked_at: NotRequired[Time]
    scopes: list[ApiKeyScope]


class StoredInvitation(TypedDict):
    """The stored part of an invitation."""
    created_at: Time
    expires_at: Time
    invitation_id: str
    invited_by: str
    name: str
    role: MemberRole
    state: InvitationState
    titles: list[MemberTitle]
    used_at: NotRequired[Time]
    withdrawn_at: NotRequired[Time]


class StoredResolveOrder(TypedDict):
    """Obligations to resolve; all when absent."""
    obligation_ids: NotRequired[list[str] | None]


class StoredValidation(TypedDict):
    """The result of validating the records of a store."""
    gaps: list[str]
    missing_evidence: list[str]
    records: int
    valid: bool


class StoredValidationOrder(TypedDict):
    """Obligations that should have evidence, or nothing."""
    expected_obligation_ids: NotRequired[list[str] | None]


class TenantKeyHistory(TypedDict):
    """The key history of a tenant, from its beginning."""
    keys: list[KeyChange]


class TenantSummary(TypedDict):
    """A tenant, with the state of its trail."""
    created_at: Time
    origin: str
    root: Digest
    size: int
    tenant: str

TextOrObject: TypeAlias = "str | FreeObject"


class TextSourceRef(TypedDict):
    """A text in the lake."""
    lake_uri: str

Time: TypeAlias = "str"


class ToolCall(TypedDict):
    """One call of a tool, successful or not."""
    actual_action: TextOrObject
    agent_name: NotRequired[str]
    contradiction_flag: bool
    contradictions: NotRequired[list[str]]
    inputs: FreeObject
    intended_action: TextOrObject
    invoked_at: NotRequired[Time]
    outcome: NotRequired[ToolCallOutcome]
    outputs: FreeObject
    side_effects: NotRequired[list[str]]
    tool_call_id: NotRequired[str]
    tool_name: str
    verification_status: ToolCallStatus

ToolCallOrder: TypeAlias = "IntendedToolCall | ReportedToolCall"

ToolCallOutcome: TypeAlias = "Literal[\"succeeded\", \"failed\", \"blocked\"]"

ToolCallPhase: TypeAlias = "Literal[\"intended\", \"reported\"]"


class ToolCallStatement(TypedDict):
    """A call, as a request for a pack states it."""
    actual_action: TextOrObject
    agent_name: NotRequired[str | None]
    at: NotRequired[Time | None]
    contradiction_flag: NotRequired[bool | None]
    contradictions: NotRequired[list[str] | None]
    decision_id: NotRequired[str | None]
    inputs: NotRequired[FreeObject | None]
    intended_action: TextOrObject
    invocation_id: NotRequired[str | None]
    invoked_at: NotRequired[Time | None]
    outcome: NotRequired[ToolCallOutcome | None]
    outputs: NotRequired[FreeObject | None]
    side_effects: NotRequired[list[str] | None]
    tool_call_id: NotRequired[str | None]
    tool_name: str
    verification_status: NotRequired[ToolCallStatus | None]

ToolCallStatus: TypeAlias = "Literal[\"pending\", \"verified\", \"contradicted\", \"blocked\"]"

TrailActionName: TypeAlias = "Literal[\"export_trail\"]"

TrailApprovalOrder = TypedDict(
    "TrailApprovalOrder",
    {
        "action": "TrailActionName",
        "from": "NotRequired[int | None]",
        "reason": "str",
        "withhold": "NotRequired[list[str] | None]",
    },
)

TrailExportOrder = TypedDict(
    "TrailExportOrder",
    {
        "from": "NotRequired[int | None]",
        "reason": "str",
        "withhold": "NotRequired[list[str] | None]",
    },
)

TrailMatter = TypedDict(
    "TrailMatter",
    {
        "action": "TrailActionName",
        "from": "NotRequired[int]",
        "reason": "str",
        "withhold": "NotRequired[list[str]]",
    },
)


class TrustFile(TypedDict):
    """The trust file for a verifier: the trail, its keys, and optionally a head seen before."""
    key_history: list[KeyHistoryEntry]
    origin: str
    seen: NotRequired[list[SeenHead]]

Uuid: TypeAlias = "str"

Verdict: TypeAlias = "Literal[\"supported\", \"weak\", \"contradicted\", \"not_found\"]"


class VerdictCounts(TypedDict):
    """How many of each verdict."""
    contradicted: int
    not_found: int
    supported: int
    weak: int


class VerdictJudge(TypedDict):
    """The judge that gave a verdict."""
    kind: JudgeKind
    name: str
    sha256: NotRequired[Digest]


class VerificationFinding(TypedDict):
    """One part that was checked."""
    message: str
    part: str
    verdict: CheckStatus

VerificationOrNull: TypeAlias = "ObligationVerification | None"


class VerificationReport(TypedDict):
    """Every finding about a file, and the verdict."""
    findings: list[VerificationFinding]
    verdict: CheckStatus

VoteOutcome: TypeAlias = "Literal[\"approved\", \"escalated\", \"rejected\"]"


class WithheldMetadata(TypedDict):
    """Metadata of a source that is not shown."""
    keys: list[str]
    source_id: str
