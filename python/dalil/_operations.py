"""The operations of the API, as methods.

Made by python/generate_client.py from suite/openapi.json. Do not edit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, cast

from dalil._request import ApiRequest, ReplyKind

if TYPE_CHECKING:
    from typing import Literal

    from dalil._openapi import (
        ActiveHolds,
        ApiKeyList,
        ApprovalOrder,
        ApprovalPage,
        ApprovalRequestPage,
        ApprovalRequestSummary,
        ApprovalSummary,
        ArtifactUses,
        Bundle,
        BundlePage,
        BundleRequest,
        BundleResponse,
        CheckOrder,
        CheckSubmission,
        ClaimReviewList,
        ClaimReviewOrder,
        CompletenessEnvelope,
        ConsistencyProof,
        DecisionOrder,
        DecisionPage,
        DecisionSummary,
        DecisionToolCalls,
        DocumentPage,
        DocumentSummary,
        DocumentUploadResponse,
        DownloadLink,
        ErasureOrder,
        ErasureResponse,
        ExpectedObligations,
        ExportOrder,
        ExportPage,
        HealthResponse,
        HoldOrder,
        InvitationList,
        IssuedApiKey,
        IssuedInvitation,
        Job,
        JobPage,
        JobResponse,
        KeyChange,
        LedgerExportOrder,
        MemberList,
        ModelRunOrder,
        NewApiKey,
        NewInvitation,
        NewMember,
        NewSession,
        NewSigningKey,
        ObligationCoverage,
        ObligationHistory,
        ObligationPackageOrder,
        ObligationPage,
        OpenedSession,
        PackAssembly,
        PackDetails,
        PackDifference,
        PackPage,
        PackRequest,
        PackReviewOrder,
        PackReviewStatus,
        PlacedHold,
        QuestionList,
        QuestionReplyOrder,
        ReasonOrder,
        RecordAck,
        RecordPage,
        RecordedClaimReview,
        RecordedDecision,
        RecordedObligation,
        RecordedPackage,
        RecordedQuestionReply,
        RecordedToolCall,
        ResolvedObligations,
        ReviewOutcome,
        RunDetails,
        SealedPack,
        SessionDetails,
        SessionLedger,
        SessionPage,
        SourcesReply,
        SourcesRequest,
        StatusChangeOrder,
        StoredResolveOrder,
        StoredValidation,
        StoredValidationOrder,
        TenantKeyHistory,
        TenantSummary,
        ToolCallOrder,
        TrailExportOrder,
        TrustFile,
        VerificationReport,
    )


class Operations(ABC):
    """Every operation."""

    @abstractmethod
    def send(self, request: ApiRequest) -> object:
        """Sends a request and returns what the reply holds."""

    def list_api_keys(
        self,
    ) -> ApiKeyList:
        """The API keys of the tenant, without their secrets"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/api-keys',
            reply=ReplyKind.JSON,
        )
        return cast("ApiKeyList", self.send(request))

    def add_api_key(
        self,
        body: NewApiKey,
    ) -> IssuedApiKey:
        """Creates a key; its text is in this reply and nowhere else"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/api-keys',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("IssuedApiKey", self.send(request))

    def revoke_api_key(
        self,
        key_id: str,
    ) -> RecordAck:
        """Revokes a key: it is refused from now on"""
        request = ApiRequest(
            method='DELETE',
            path='/api/v1/api-keys/{key_id}',
            inside={'key_id': key_id},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", self.send(request))

    def list_approvals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> ApprovalPage:
        """The approvals by members, with their states"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/approvals',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("ApprovalPage", self.send(request))

    def give_approval(
        self,
        body: ApprovalOrder,
    ) -> ApprovalSummary:
        """Approves an action of another member; the approver is the caller"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/approvals',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ApprovalSummary", self.send(request))

    def list_approval_requests(
        self,
        *,
        object: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> ApprovalRequestPage:
        """The approval requests, with the approvers so far and the missing ones"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/approvals/requests',
            query={'object': object, 'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("ApprovalRequestPage", self.send(request))

    def ask_for_approval(
        self,
        body: ApprovalOrder,
    ) -> ApprovalRequestSummary:
        """Asks others to approve an action of the caller"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/approvals/requests',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ApprovalRequestSummary", self.send(request))

    def artifact_bytes(
        self,
        artifact: str,
    ) -> bytes:
        """A full text or query result that a bundle was built from"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/artifacts/{artifact}',
            inside={'artifact': artifact},
            reply=ReplyKind.BYTES,
        )
        return cast("bytes", self.send(request))

    def list_artifact_uses(
        self,
        artifact: str,
    ) -> ArtifactUses:
        """Which bundles and runs used an artifact"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/artifacts/{artifact}/uses',
            inside={'artifact': artifact},
            reply=ReplyKind.JSON,
        )
        return cast("ArtifactUses", self.send(request))

    def list_audit_records(
        self,
        *,
        kind: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> RecordPage:
        """Refusals, exports, and changes of members, keys and holds"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/audit',
            query={'kind': kind, 'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("RecordPage", self.send(request))

    def list_bundles(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> BundlePage:
        """Bundles, in the order in which they were built"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/bundles',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("BundlePage", self.send(request))

    def build_bundle(
        self,
        body: BundleRequest,
    ) -> BundleResponse:
        """Builds a bundle of the evidence in the request (spec/bundle.md), and stores it"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/bundles',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("BundleResponse", self.send(request))

    def show_bundle(
        self,
        bundle_id: str,
    ) -> Bundle:
        """A bundle with its content"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/bundles/{bundle_id}',
            inside={'bundle_id': bundle_id},
            reply=ReplyKind.JSON,
        )
        return cast("Bundle", self.send(request))

    def check_answer(
        self,
        body: CheckSubmission,
        *,
        wait: int | None = None,
    ) -> SessionLedger:
        """Checks an answer in one call, against the chunks that were retrieved for it"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/check',
            query={'wait': wait},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("SessionLedger", self.send(request))

    def check_answer_stream(
        self,
        body: bytes,
    ) -> str:
        """Checks an answer while it is being written"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/check/stream',
            content=body,
            media_type='application/x-ndjson',
            reply=ReplyKind.TEXT,
        )
        return cast("str", self.send(request))

    def list_decisions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> DecisionPage:
        """Decisions, in the order in which they were recorded"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/decisions',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("DecisionPage", self.send(request))

    def record_decision(
        self,
        body: DecisionOrder,
    ) -> RecordedDecision:
        """Records a decision (spec/pack.md) and returns whether it needs a pack"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/decisions',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedDecision", self.send(request))

    def show_decision(
        self,
        decision_id: str,
    ) -> DecisionSummary:
        """A decision"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/decisions/{decision_id}',
            inside={'decision_id': decision_id},
            reply=ReplyKind.JSON,
        )
        return cast("DecisionSummary", self.send(request))

    def list_decision_tool_calls(
        self,
        decision_id: str,
    ) -> DecisionToolCalls:
        """The tool calls of a decision"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/decisions/{decision_id}/tool-calls',
            inside={'decision_id': decision_id},
            reply=ReplyKind.JSON,
        )
        return cast("DecisionToolCalls", self.send(request))

    def list_documents(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> DocumentPage:
        """The documents of the tenant, in the order in which they were added"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/documents',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("DocumentPage", self.send(request))

    def upload_document(
        self,
        body: bytes,
        *,
        filename: str | None = None,
    ) -> DocumentUploadResponse:
        """Adds a document: PDF, DOCX, XLSX, HTML, Markdown, text, CSV or EML"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/documents',
            query={'filename': filename},
            content=body,
            reply=ReplyKind.JSON,
        )
        return cast("DocumentUploadResponse", self.send(request))

    def show_document(
        self,
        document_id: str,
    ) -> DocumentSummary:
        """A document of the tenant"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/documents/{document_id}',
            inside={'document_id': document_id},
            reply=ReplyKind.JSON,
        )
        return cast("DocumentSummary", self.send(request))

    def document_original(
        self,
        document_id: str,
    ) -> bytes:
        """The original bytes of a document"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/documents/{document_id}/original',
            inside={'document_id': document_id},
            reply=ReplyKind.BYTES,
        )
        return cast("bytes", self.send(request))

    def document_text(
        self,
        document_id: str,
        *,
        page: int | None = None,
    ) -> str:
        """The text that was read from a document, or from one of its pages"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/documents/{document_id}/text',
            inside={'document_id': document_id},
            query={'page': page},
            reply=ReplyKind.TEXT,
        )
        return cast("str", self.send(request))

    def download_export(
        self,
        tenant: str,
        link: str,
    ) -> bytes:
        """The bytes of an export, by its link"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/downloads/{tenant}/{link}',
            inside={'tenant': tenant, 'link': link},
            reply=ReplyKind.BYTES,
        )
        return cast("bytes", self.send(request))

    def erase_payloads(
        self,
        body: ErasureOrder,
    ) -> ErasureResponse:
        """Erases payloads, and records the erasure"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/erasures',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ErasureResponse", self.send(request))

    def list_exports(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> ExportPage:
        """Exports, in the order in which they were made"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/exports',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("ExportPage", self.send(request))

    def list_holds(
        self,
    ) -> ActiveHolds:
        """The holds in place"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/holds',
            reply=ReplyKind.JSON,
        )
        return cast("ActiveHolds", self.send(request))

    def place_hold(
        self,
        body: HoldOrder,
    ) -> PlacedHold:
        """Places a hold: nothing that it covers may be erased"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/holds',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("PlacedHold", self.send(request))

    def lift_hold(
        self,
        hold_id: str,
        body: ReasonOrder,
    ) -> RecordAck:
        """Lifts a hold; `{"reason"}`"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/holds/{hold_id}/lift',
            inside={'hold_id': hold_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", self.send(request))

    def list_invitations(
        self,
    ) -> InvitationList:
        """The invitations of the tenant, without their secrets"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/invitations',
            reply=ReplyKind.JSON,
        )
        return cast("InvitationList", self.send(request))

    def invite(
        self,
        body: NewInvitation,
    ) -> IssuedInvitation:
        """Invites a person; the link is in this reply and nowhere else"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/invitations',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("IssuedInvitation", self.send(request))

    def withdraw_invitation(
        self,
        invitation_id: str,
    ) -> RecordAck:
        """Withdraws an invitation: its link no longer works"""
        request = ApiRequest(
            method='DELETE',
            path='/api/v1/invitations/{invitation_id}',
            inside={'invitation_id': invitation_id},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", self.send(request))

    def list_jobs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> JobPage:
        """Jobs, in the order in which they were accepted"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/jobs',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("JobPage", self.send(request))

    def show_job(
        self,
        job_id: str,
    ) -> JobResponse:
        """A job, with its progress while it runs"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/jobs/{job_id}',
            inside={'job_id': job_id},
            reply=ReplyKind.JSON,
        )
        return cast("JobResponse", self.send(request))

    def job_events(
        self,
        job_id: str,
    ) -> str:
        """The progress of a running job as server-sent events: `progress`, then `end` with the job"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/jobs/{job_id}/events',
            inside={'job_id': job_id},
            reply=ReplyKind.TEXT,
        )
        return cast("str", self.send(request))

    def list_keys(
        self,
    ) -> TenantKeyHistory:
        """The history of the signing keys"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/keys',
            reply=ReplyKind.JSON,
        )
        return cast("TenantKeyHistory", self.send(request))

    def add_key(
        self,
        body: NewSigningKey,
    ) -> KeyChange:
        """Generates a key that signs from now on; `{"name"?}`"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/keys',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("KeyChange", self.send(request))

    def trust_file(
        self,
    ) -> TrustFile:
        """The trust file for a verifier: the origin and the key history"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/keys/trust',
            reply=ReplyKind.JSON,
        )
        return cast("TrustFile", self.send(request))

    def retire_key(
        self,
        key_id: str,
    ) -> RecordAck:
        """Retires a key: its signatures stay valid"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/keys/{key_id}/retire',
            inside={'key_id': key_id},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", self.send(request))

    def revoke_key(
        self,
        key_id: str,
    ) -> RecordAck:
        """Revokes a key: its signatures are valid only where a trusted party saw them before"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/keys/{key_id}/revoke',
            inside={'key_id': key_id},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", self.send(request))

    def list_members(
        self,
    ) -> MemberList:
        """The members of the tenant, with their roles and titles"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/members',
            reply=ReplyKind.JSON,
        )
        return cast("MemberList", self.send(request))

    def add_member(
        self,
        body: NewMember,
    ) -> RecordAck:
        """Adds a member"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/members',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", self.send(request))

    def remove_member(
        self,
        name: str,
    ) -> RecordAck:
        """Removes a member; their approvals stay valid"""
        request = ApiRequest(
            method='DELETE',
            path='/api/v1/members/{name}',
            inside={'name': name},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", self.send(request))

    def list_obligations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> ObligationPage:
        """Records of obligations, in order"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/obligations',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("ObligationPage", self.send(request))

    def package_obligations(
        self,
        body: ObligationPackageOrder,
    ) -> RecordedPackage:
        """Packages the evidence of obligations, and records it (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedPackage", self.send(request))

    def completeness(
        self,
        body: ExpectedObligations,
    ) -> CompletenessEnvelope:
        """A signed statement of which of the expected obligations have evidence (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/completeness',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("CompletenessEnvelope", self.send(request))

    def find_missing_obligations(
        self,
        body: ExpectedObligations,
    ) -> ObligationCoverage:
        """Which of the expected obligations have no evidence"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/missing',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ObligationCoverage", self.send(request))

    def resolve_obligations(
        self,
        body: StoredResolveOrder,
    ) -> ResolvedObligations:
        """The status of obligations after the amendments of their newest evidence (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/resolve',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ResolvedObligations", self.send(request))

    def change_obligation_status(
        self,
        body: StatusChangeOrder,
    ) -> RecordedObligation:
        """Records that the status of an obligation changed (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/status',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedObligation", self.send(request))

    def validate_obligations(
        self,
        body: StoredValidationOrder,
    ) -> StoredValidation:
        """Validates the records of obligations: their amendment histories, and whether any is
        missing (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/validate',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("StoredValidation", self.send(request))

    def obligation_history(
        self,
        obligation_id: str,
        *,
        as_of: str | None = None,
    ) -> ObligationHistory:
        """The history of an obligation: all of it, or up to a time"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/obligations/{obligation_id}/history',
            inside={'obligation_id': obligation_id},
            query={'as_of': as_of},
            reply=ReplyKind.JSON,
        )
        return cast("ObligationHistory", self.send(request))

    def list_packs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> PackPage:
        """Versions of packs, in the order in which they were sealed"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("PackPage", self.send(request))

    def assemble_pack(
        self,
        body: PackAssembly,
    ) -> SealedPack:
        """Assembles the pack of a decision from the store, and seals it"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/packs',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("SealedPack", self.send(request))

    def seal_pack(
        self,
        body: PackRequest,
    ) -> SealedPack:
        """Assembles a pack from a complete request (spec/pack.md), and seals it"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/packs/seal',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("SealedPack", self.send(request))

    def show_pack(
        self,
        pack_id: str,
    ) -> PackDetails:
        """A pack, with its state"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs/{pack_id}',
            inside={'pack_id': pack_id},
            reply=ReplyKind.JSON,
        )
        return cast("PackDetails", self.send(request))

    def compare_packs(
        self,
        pack_id: str,
        other_id: str,
    ) -> PackDifference:
        """The differences between two versions of a pack"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs/{pack_id}/diff/{other_id}',
            inside={'pack_id': pack_id, 'other_id': other_id},
            reply=ReplyKind.JSON,
        )
        return cast("PackDifference", self.send(request))

    def export_pack(
        self,
        pack_id: str,
        body: ExportOrder,
    ) -> DownloadLink:
        """Exports a pack: recorded first, then a link that expires"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/packs/{pack_id}/export',
            inside={'pack_id': pack_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("DownloadLink", self.send(request))

    def review_pack(
        self,
        pack_id: str,
        body: PackReviewOrder,
    ) -> ReviewOutcome:
        """Records the caller's review of a pack: approved, declined, escalated or rejected"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/packs/{pack_id}/review',
            inside={'pack_id': pack_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ReviewOutcome", self.send(request))

    def pack_standing(
        self,
        pack_id: str,
    ) -> PackReviewStatus:
        """The state of a pack's review: the approvers so far, the missing ones, and the deadline"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs/{pack_id}/standing',
            inside={'pack_id': pack_id},
            reply=ReplyKind.JSON,
        )
        return cast("PackReviewStatus", self.send(request))

    def list_pack_versions(
        self,
        pack_id: str,
    ) -> PackPage:
        """Every version of a pack, or of the pack of a decision, the oldest first"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs/{pack_id}/versions',
            inside={'pack_id': pack_id},
            reply=ReplyKind.JSON,
        )
        return cast("PackPage", self.send(request))

    def record_run(
        self,
        body: ModelRunOrder,
    ) -> RecordAck:
        """Records a run of a model and the bundles that it used"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/runs',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", self.send(request))

    def show_run(
        self,
        run_id: str,
    ) -> RunDetails:
        """A run and the bundles that it used"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/runs/{run_id}',
            inside={'run_id': run_id},
            reply=ReplyKind.JSON,
        )
        return cast("RunDetails", self.send(request))

    def list_sessions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> SessionPage:
        """The sessions of the tenant, in the order of opening"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("SessionPage", self.send(request))

    def open_session(
        self,
        body: NewSession,
    ) -> OpenedSession:
        """Opens a session: a question and the answer to check"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("OpenedSession", self.send(request))

    def show_session(
        self,
        session_id: str,
    ) -> SessionDetails:
        """A session and its ledgers, with the newest one in full"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions/{session_id}',
            inside={'session_id': session_id},
            reply=ReplyKind.JSON,
        )
        return cast("SessionDetails", self.send(request))

    def check_session(
        self,
        session_id: str,
        body: CheckOrder,
    ) -> Job:
        """Checks the answer of a session, as a job"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions/{session_id}/check',
            inside={'session_id': session_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("Job", self.send(request))

    def session_ledger(
        self,
        session_id: str,
    ) -> SessionLedger:
        """The newest ledger of a session"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions/{session_id}/ledger',
            inside={'session_id': session_id},
            reply=ReplyKind.JSON,
        )
        return cast("SessionLedger", self.send(request))

    def export_ledger(
        self,
        session_id: str,
        body: LedgerExportOrder,
    ) -> DownloadLink:
        """Exports the newest ledger of a session: recorded first, then a link that expires"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions/{session_id}/ledger/export',
            inside={'session_id': session_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("DownloadLink", self.send(request))

    def list_questions(
        self,
        session_id: str,
    ) -> QuestionList:
        """The follow-up questions of the newest ledger, with their replies"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions/{session_id}/questions',
            inside={'session_id': session_id},
            reply=ReplyKind.JSON,
        )
        return cast("QuestionList", self.send(request))

    def reply_to_question(
        self,
        session_id: str,
        body: QuestionReplyOrder,
    ) -> RecordedQuestionReply:
        """Records the caller's reply to a follow-up question, or forwards it to another person"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions/{session_id}/questions',
            inside={'session_id': session_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedQuestionReply", self.send(request))

    def list_claim_reviews(
        self,
        session_id: str,
    ) -> ClaimReviewList:
        """The reviews of a session's claims, and the state of its answer"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions/{session_id}/reviews',
            inside={'session_id': session_id},
            reply=ReplyKind.JSON,
        )
        return cast("ClaimReviewList", self.send(request))

    def review_claim(
        self,
        session_id: str,
        body: ClaimReviewOrder,
    ) -> RecordedClaimReview:
        """Records the caller's review of a claim of the newest ledger"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions/{session_id}/reviews',
            inside={'session_id': session_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedClaimReview", self.send(request))

    def choose_sources(
        self,
        body: SourcesRequest,
        *,
        format: Literal["event", "ai-sdk", "anthropic", "openai"] | None = None,
    ) -> SourcesReply:
        """Chooses the sources to show beside an answer (spec/sources.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sources',
            query={'format': format},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("SourcesReply", self.send(request))

    def show_tenant(
        self,
    ) -> TenantSummary:
        """The tenant of the caller, and the head of its trail"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/tenant',
            reply=ReplyKind.JSON,
        )
        return cast("TenantSummary", self.send(request))

    def record_tool_call(
        self,
        body: ToolCallOrder,
    ) -> RecordedToolCall:
        """Records an announced tool call of an agent, or its result (spec/pack.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/tool-calls',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedToolCall", self.send(request))

    def trail_checkpoint(
        self,
        *,
        size: int | None = None,
    ) -> str:
        """A signed checkpoint"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/trail/checkpoint',
            query={'size': size},
            reply=ReplyKind.TEXT,
        )
        return cast("str", self.send(request))

    def prove_consistency(
        self,
        *,
        old: int,
        new: int | None = None,
    ) -> ConsistencyProof:
        """The proof that the trail only grew from one size to another"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/trail/consistency',
            query={'old': old, 'new': new},
            reply=ReplyKind.JSON,
        )
        return cast("ConsistencyProof", self.send(request))

    def export_trail(
        self,
        body: TrailExportOrder,
    ) -> bytes:
        """Exports the trail, recorded first, as a file that anybody can verify"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/trail/export',
            json=body,
            reply=ReplyKind.BYTES,
        )
        return cast("bytes", self.send(request))

    def list_records(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> RecordPage:
        """Records of the trail, in order"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/trail/records',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("RecordPage", self.send(request))

    def record_receipt(
        self,
        index: str,
    ) -> str:
        """The receipt of a record: the record, its path, a signed checkpoint"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/trail/records/{index}/receipt',
            inside={'index': index},
            reply=ReplyKind.TEXT,
        )
        return cast("str", self.send(request))

    def verify_file(
        self,
        body: bytes,
    ) -> VerificationReport:
        """Verifies a pack, a PDF, an archive, a receipt, a checkpoint or a trail export"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/verify',
            content=body,
            reply=ReplyKind.JSON,
        )
        return cast("VerificationReport", self.send(request))

    def is_alive(
        self,
    ) -> HealthResponse:
        """Whether the server is alive"""
        request = ApiRequest(
            method='GET',
            path='/healthz',
            reply=ReplyKind.JSON,
        )
        return cast("HealthResponse", self.send(request))

    def metrics(
        self,
    ) -> str:
        """Metrics in the text format of Prometheus"""
        request = ApiRequest(
            method='GET',
            path='/metrics',
            reply=ReplyKind.TEXT,
        )
        return cast("str", self.send(request))

    def is_ready(
        self,
    ) -> HealthResponse:
        """Whether the server is ready: its store answers, and writes succeed"""
        request = ApiRequest(
            method='GET',
            path='/readyz',
            reply=ReplyKind.JSON,
        )
        return cast("HealthResponse", self.send(request))


class AsyncOperations(ABC):
    """Every operation, to be awaited."""

    @abstractmethod
    async def send(self, request: ApiRequest) -> object:
        """Sends a request and returns what the reply holds."""

    async def list_api_keys(
        self,
    ) -> ApiKeyList:
        """The API keys of the tenant, without their secrets"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/api-keys',
            reply=ReplyKind.JSON,
        )
        return cast("ApiKeyList", await self.send(request))

    async def add_api_key(
        self,
        body: NewApiKey,
    ) -> IssuedApiKey:
        """Creates a key; its text is in this reply and nowhere else"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/api-keys',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("IssuedApiKey", await self.send(request))

    async def revoke_api_key(
        self,
        key_id: str,
    ) -> RecordAck:
        """Revokes a key: it is refused from now on"""
        request = ApiRequest(
            method='DELETE',
            path='/api/v1/api-keys/{key_id}',
            inside={'key_id': key_id},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", await self.send(request))

    async def list_approvals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> ApprovalPage:
        """The approvals by members, with their states"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/approvals',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("ApprovalPage", await self.send(request))

    async def give_approval(
        self,
        body: ApprovalOrder,
    ) -> ApprovalSummary:
        """Approves an action of another member; the approver is the caller"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/approvals',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ApprovalSummary", await self.send(request))

    async def list_approval_requests(
        self,
        *,
        object: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> ApprovalRequestPage:
        """The approval requests, with the approvers so far and the missing ones"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/approvals/requests',
            query={'object': object, 'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("ApprovalRequestPage", await self.send(request))

    async def ask_for_approval(
        self,
        body: ApprovalOrder,
    ) -> ApprovalRequestSummary:
        """Asks others to approve an action of the caller"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/approvals/requests',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ApprovalRequestSummary", await self.send(request))

    async def artifact_bytes(
        self,
        artifact: str,
    ) -> bytes:
        """A full text or query result that a bundle was built from"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/artifacts/{artifact}',
            inside={'artifact': artifact},
            reply=ReplyKind.BYTES,
        )
        return cast("bytes", await self.send(request))

    async def list_artifact_uses(
        self,
        artifact: str,
    ) -> ArtifactUses:
        """Which bundles and runs used an artifact"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/artifacts/{artifact}/uses',
            inside={'artifact': artifact},
            reply=ReplyKind.JSON,
        )
        return cast("ArtifactUses", await self.send(request))

    async def list_audit_records(
        self,
        *,
        kind: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> RecordPage:
        """Refusals, exports, and changes of members, keys and holds"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/audit',
            query={'kind': kind, 'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("RecordPage", await self.send(request))

    async def list_bundles(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> BundlePage:
        """Bundles, in the order in which they were built"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/bundles',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("BundlePage", await self.send(request))

    async def build_bundle(
        self,
        body: BundleRequest,
    ) -> BundleResponse:
        """Builds a bundle of the evidence in the request (spec/bundle.md), and stores it"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/bundles',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("BundleResponse", await self.send(request))

    async def show_bundle(
        self,
        bundle_id: str,
    ) -> Bundle:
        """A bundle with its content"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/bundles/{bundle_id}',
            inside={'bundle_id': bundle_id},
            reply=ReplyKind.JSON,
        )
        return cast("Bundle", await self.send(request))

    async def check_answer(
        self,
        body: CheckSubmission,
        *,
        wait: int | None = None,
    ) -> SessionLedger:
        """Checks an answer in one call, against the chunks that were retrieved for it"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/check',
            query={'wait': wait},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("SessionLedger", await self.send(request))

    async def check_answer_stream(
        self,
        body: bytes,
    ) -> str:
        """Checks an answer while it is being written"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/check/stream',
            content=body,
            media_type='application/x-ndjson',
            reply=ReplyKind.TEXT,
        )
        return cast("str", await self.send(request))

    async def list_decisions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> DecisionPage:
        """Decisions, in the order in which they were recorded"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/decisions',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("DecisionPage", await self.send(request))

    async def record_decision(
        self,
        body: DecisionOrder,
    ) -> RecordedDecision:
        """Records a decision (spec/pack.md) and returns whether it needs a pack"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/decisions',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedDecision", await self.send(request))

    async def show_decision(
        self,
        decision_id: str,
    ) -> DecisionSummary:
        """A decision"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/decisions/{decision_id}',
            inside={'decision_id': decision_id},
            reply=ReplyKind.JSON,
        )
        return cast("DecisionSummary", await self.send(request))

    async def list_decision_tool_calls(
        self,
        decision_id: str,
    ) -> DecisionToolCalls:
        """The tool calls of a decision"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/decisions/{decision_id}/tool-calls',
            inside={'decision_id': decision_id},
            reply=ReplyKind.JSON,
        )
        return cast("DecisionToolCalls", await self.send(request))

    async def list_documents(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> DocumentPage:
        """The documents of the tenant, in the order in which they were added"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/documents',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("DocumentPage", await self.send(request))

    async def upload_document(
        self,
        body: bytes,
        *,
        filename: str | None = None,
    ) -> DocumentUploadResponse:
        """Adds a document: PDF, DOCX, XLSX, HTML, Markdown, text, CSV or EML"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/documents',
            query={'filename': filename},
            content=body,
            reply=ReplyKind.JSON,
        )
        return cast("DocumentUploadResponse", await self.send(request))

    async def show_document(
        self,
        document_id: str,
    ) -> DocumentSummary:
        """A document of the tenant"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/documents/{document_id}',
            inside={'document_id': document_id},
            reply=ReplyKind.JSON,
        )
        return cast("DocumentSummary", await self.send(request))

    async def document_original(
        self,
        document_id: str,
    ) -> bytes:
        """The original bytes of a document"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/documents/{document_id}/original',
            inside={'document_id': document_id},
            reply=ReplyKind.BYTES,
        )
        return cast("bytes", await self.send(request))

    async def document_text(
        self,
        document_id: str,
        *,
        page: int | None = None,
    ) -> str:
        """The text that was read from a document, or from one of its pages"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/documents/{document_id}/text',
            inside={'document_id': document_id},
            query={'page': page},
            reply=ReplyKind.TEXT,
        )
        return cast("str", await self.send(request))

    async def download_export(
        self,
        tenant: str,
        link: str,
    ) -> bytes:
        """The bytes of an export, by its link"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/downloads/{tenant}/{link}',
            inside={'tenant': tenant, 'link': link},
            reply=ReplyKind.BYTES,
        )
        return cast("bytes", await self.send(request))

    async def erase_payloads(
        self,
        body: ErasureOrder,
    ) -> ErasureResponse:
        """Erases payloads, and records the erasure"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/erasures',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ErasureResponse", await self.send(request))

    async def list_exports(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> ExportPage:
        """Exports, in the order in which they were made"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/exports',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("ExportPage", await self.send(request))

    async def list_holds(
        self,
    ) -> ActiveHolds:
        """The holds in place"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/holds',
            reply=ReplyKind.JSON,
        )
        return cast("ActiveHolds", await self.send(request))

    async def place_hold(
        self,
        body: HoldOrder,
    ) -> PlacedHold:
        """Places a hold: nothing that it covers may be erased"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/holds',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("PlacedHold", await self.send(request))

    async def lift_hold(
        self,
        hold_id: str,
        body: ReasonOrder,
    ) -> RecordAck:
        """Lifts a hold; `{"reason"}`"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/holds/{hold_id}/lift',
            inside={'hold_id': hold_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", await self.send(request))

    async def list_invitations(
        self,
    ) -> InvitationList:
        """The invitations of the tenant, without their secrets"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/invitations',
            reply=ReplyKind.JSON,
        )
        return cast("InvitationList", await self.send(request))

    async def invite(
        self,
        body: NewInvitation,
    ) -> IssuedInvitation:
        """Invites a person; the link is in this reply and nowhere else"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/invitations',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("IssuedInvitation", await self.send(request))

    async def withdraw_invitation(
        self,
        invitation_id: str,
    ) -> RecordAck:
        """Withdraws an invitation: its link no longer works"""
        request = ApiRequest(
            method='DELETE',
            path='/api/v1/invitations/{invitation_id}',
            inside={'invitation_id': invitation_id},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", await self.send(request))

    async def list_jobs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> JobPage:
        """Jobs, in the order in which they were accepted"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/jobs',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("JobPage", await self.send(request))

    async def show_job(
        self,
        job_id: str,
    ) -> JobResponse:
        """A job, with its progress while it runs"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/jobs/{job_id}',
            inside={'job_id': job_id},
            reply=ReplyKind.JSON,
        )
        return cast("JobResponse", await self.send(request))

    async def job_events(
        self,
        job_id: str,
    ) -> str:
        """The progress of a running job as server-sent events: `progress`, then `end` with the job"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/jobs/{job_id}/events',
            inside={'job_id': job_id},
            reply=ReplyKind.TEXT,
        )
        return cast("str", await self.send(request))

    async def list_keys(
        self,
    ) -> TenantKeyHistory:
        """The history of the signing keys"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/keys',
            reply=ReplyKind.JSON,
        )
        return cast("TenantKeyHistory", await self.send(request))

    async def add_key(
        self,
        body: NewSigningKey,
    ) -> KeyChange:
        """Generates a key that signs from now on; `{"name"?}`"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/keys',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("KeyChange", await self.send(request))

    async def trust_file(
        self,
    ) -> TrustFile:
        """The trust file for a verifier: the origin and the key history"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/keys/trust',
            reply=ReplyKind.JSON,
        )
        return cast("TrustFile", await self.send(request))

    async def retire_key(
        self,
        key_id: str,
    ) -> RecordAck:
        """Retires a key: its signatures stay valid"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/keys/{key_id}/retire',
            inside={'key_id': key_id},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", await self.send(request))

    async def revoke_key(
        self,
        key_id: str,
    ) -> RecordAck:
        """Revokes a key: its signatures are valid only where a trusted party saw them before"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/keys/{key_id}/revoke',
            inside={'key_id': key_id},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", await self.send(request))

    async def list_members(
        self,
    ) -> MemberList:
        """The members of the tenant, with their roles and titles"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/members',
            reply=ReplyKind.JSON,
        )
        return cast("MemberList", await self.send(request))

    async def add_member(
        self,
        body: NewMember,
    ) -> RecordAck:
        """Adds a member"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/members',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", await self.send(request))

    async def remove_member(
        self,
        name: str,
    ) -> RecordAck:
        """Removes a member; their approvals stay valid"""
        request = ApiRequest(
            method='DELETE',
            path='/api/v1/members/{name}',
            inside={'name': name},
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", await self.send(request))

    async def list_obligations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> ObligationPage:
        """Records of obligations, in order"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/obligations',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("ObligationPage", await self.send(request))

    async def package_obligations(
        self,
        body: ObligationPackageOrder,
    ) -> RecordedPackage:
        """Packages the evidence of obligations, and records it (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedPackage", await self.send(request))

    async def completeness(
        self,
        body: ExpectedObligations,
    ) -> CompletenessEnvelope:
        """A signed statement of which of the expected obligations have evidence (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/completeness',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("CompletenessEnvelope", await self.send(request))

    async def find_missing_obligations(
        self,
        body: ExpectedObligations,
    ) -> ObligationCoverage:
        """Which of the expected obligations have no evidence"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/missing',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ObligationCoverage", await self.send(request))

    async def resolve_obligations(
        self,
        body: StoredResolveOrder,
    ) -> ResolvedObligations:
        """The status of obligations after the amendments of their newest evidence (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/resolve',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ResolvedObligations", await self.send(request))

    async def change_obligation_status(
        self,
        body: StatusChangeOrder,
    ) -> RecordedObligation:
        """Records that the status of an obligation changed (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/status',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedObligation", await self.send(request))

    async def validate_obligations(
        self,
        body: StoredValidationOrder,
    ) -> StoredValidation:
        """Validates the records of obligations: their amendment histories, and whether any is
        missing (spec/record.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/obligations/validate',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("StoredValidation", await self.send(request))

    async def obligation_history(
        self,
        obligation_id: str,
        *,
        as_of: str | None = None,
    ) -> ObligationHistory:
        """The history of an obligation: all of it, or up to a time"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/obligations/{obligation_id}/history',
            inside={'obligation_id': obligation_id},
            query={'as_of': as_of},
            reply=ReplyKind.JSON,
        )
        return cast("ObligationHistory", await self.send(request))

    async def list_packs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> PackPage:
        """Versions of packs, in the order in which they were sealed"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("PackPage", await self.send(request))

    async def assemble_pack(
        self,
        body: PackAssembly,
    ) -> SealedPack:
        """Assembles the pack of a decision from the store, and seals it"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/packs',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("SealedPack", await self.send(request))

    async def seal_pack(
        self,
        body: PackRequest,
    ) -> SealedPack:
        """Assembles a pack from a complete request (spec/pack.md), and seals it"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/packs/seal',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("SealedPack", await self.send(request))

    async def show_pack(
        self,
        pack_id: str,
    ) -> PackDetails:
        """A pack, with its state"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs/{pack_id}',
            inside={'pack_id': pack_id},
            reply=ReplyKind.JSON,
        )
        return cast("PackDetails", await self.send(request))

    async def compare_packs(
        self,
        pack_id: str,
        other_id: str,
    ) -> PackDifference:
        """The differences between two versions of a pack"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs/{pack_id}/diff/{other_id}',
            inside={'pack_id': pack_id, 'other_id': other_id},
            reply=ReplyKind.JSON,
        )
        return cast("PackDifference", await self.send(request))

    async def export_pack(
        self,
        pack_id: str,
        body: ExportOrder,
    ) -> DownloadLink:
        """Exports a pack: recorded first, then a link that expires"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/packs/{pack_id}/export',
            inside={'pack_id': pack_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("DownloadLink", await self.send(request))

    async def review_pack(
        self,
        pack_id: str,
        body: PackReviewOrder,
    ) -> ReviewOutcome:
        """Records the caller's review of a pack: approved, declined, escalated or rejected"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/packs/{pack_id}/review',
            inside={'pack_id': pack_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("ReviewOutcome", await self.send(request))

    async def pack_standing(
        self,
        pack_id: str,
    ) -> PackReviewStatus:
        """The state of a pack's review: the approvers so far, the missing ones, and the deadline"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs/{pack_id}/standing',
            inside={'pack_id': pack_id},
            reply=ReplyKind.JSON,
        )
        return cast("PackReviewStatus", await self.send(request))

    async def list_pack_versions(
        self,
        pack_id: str,
    ) -> PackPage:
        """Every version of a pack, or of the pack of a decision, the oldest first"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/packs/{pack_id}/versions',
            inside={'pack_id': pack_id},
            reply=ReplyKind.JSON,
        )
        return cast("PackPage", await self.send(request))

    async def record_run(
        self,
        body: ModelRunOrder,
    ) -> RecordAck:
        """Records a run of a model and the bundles that it used"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/runs',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordAck", await self.send(request))

    async def show_run(
        self,
        run_id: str,
    ) -> RunDetails:
        """A run and the bundles that it used"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/runs/{run_id}',
            inside={'run_id': run_id},
            reply=ReplyKind.JSON,
        )
        return cast("RunDetails", await self.send(request))

    async def list_sessions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> SessionPage:
        """The sessions of the tenant, in the order of opening"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("SessionPage", await self.send(request))

    async def open_session(
        self,
        body: NewSession,
    ) -> OpenedSession:
        """Opens a session: a question and the answer to check"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("OpenedSession", await self.send(request))

    async def show_session(
        self,
        session_id: str,
    ) -> SessionDetails:
        """A session and its ledgers, with the newest one in full"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions/{session_id}',
            inside={'session_id': session_id},
            reply=ReplyKind.JSON,
        )
        return cast("SessionDetails", await self.send(request))

    async def check_session(
        self,
        session_id: str,
        body: CheckOrder,
    ) -> Job:
        """Checks the answer of a session, as a job"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions/{session_id}/check',
            inside={'session_id': session_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("Job", await self.send(request))

    async def session_ledger(
        self,
        session_id: str,
    ) -> SessionLedger:
        """The newest ledger of a session"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions/{session_id}/ledger',
            inside={'session_id': session_id},
            reply=ReplyKind.JSON,
        )
        return cast("SessionLedger", await self.send(request))

    async def export_ledger(
        self,
        session_id: str,
        body: LedgerExportOrder,
    ) -> DownloadLink:
        """Exports the newest ledger of a session: recorded first, then a link that expires"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions/{session_id}/ledger/export',
            inside={'session_id': session_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("DownloadLink", await self.send(request))

    async def list_questions(
        self,
        session_id: str,
    ) -> QuestionList:
        """The follow-up questions of the newest ledger, with their replies"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions/{session_id}/questions',
            inside={'session_id': session_id},
            reply=ReplyKind.JSON,
        )
        return cast("QuestionList", await self.send(request))

    async def reply_to_question(
        self,
        session_id: str,
        body: QuestionReplyOrder,
    ) -> RecordedQuestionReply:
        """Records the caller's reply to a follow-up question, or forwards it to another person"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions/{session_id}/questions',
            inside={'session_id': session_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedQuestionReply", await self.send(request))

    async def list_claim_reviews(
        self,
        session_id: str,
    ) -> ClaimReviewList:
        """The reviews of a session's claims, and the state of its answer"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/sessions/{session_id}/reviews',
            inside={'session_id': session_id},
            reply=ReplyKind.JSON,
        )
        return cast("ClaimReviewList", await self.send(request))

    async def review_claim(
        self,
        session_id: str,
        body: ClaimReviewOrder,
    ) -> RecordedClaimReview:
        """Records the caller's review of a claim of the newest ledger"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sessions/{session_id}/reviews',
            inside={'session_id': session_id},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedClaimReview", await self.send(request))

    async def choose_sources(
        self,
        body: SourcesRequest,
        *,
        format: Literal["event", "ai-sdk", "anthropic", "openai"] | None = None,
    ) -> SourcesReply:
        """Chooses the sources to show beside an answer (spec/sources.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/sources',
            query={'format': format},
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("SourcesReply", await self.send(request))

    async def show_tenant(
        self,
    ) -> TenantSummary:
        """The tenant of the caller, and the head of its trail"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/tenant',
            reply=ReplyKind.JSON,
        )
        return cast("TenantSummary", await self.send(request))

    async def record_tool_call(
        self,
        body: ToolCallOrder,
    ) -> RecordedToolCall:
        """Records an announced tool call of an agent, or its result (spec/pack.md)"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/tool-calls',
            json=body,
            reply=ReplyKind.JSON,
        )
        return cast("RecordedToolCall", await self.send(request))

    async def trail_checkpoint(
        self,
        *,
        size: int | None = None,
    ) -> str:
        """A signed checkpoint"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/trail/checkpoint',
            query={'size': size},
            reply=ReplyKind.TEXT,
        )
        return cast("str", await self.send(request))

    async def prove_consistency(
        self,
        *,
        old: int,
        new: int | None = None,
    ) -> ConsistencyProof:
        """The proof that the trail only grew from one size to another"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/trail/consistency',
            query={'old': old, 'new': new},
            reply=ReplyKind.JSON,
        )
        return cast("ConsistencyProof", await self.send(request))

    async def export_trail(
        self,
        body: TrailExportOrder,
    ) -> bytes:
        """Exports the trail, recorded first, as a file that anybody can verify"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/trail/export',
            json=body,
            reply=ReplyKind.BYTES,
        )
        return cast("bytes", await self.send(request))

    async def list_records(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["oldest", "newest"] | None = None,
    ) -> RecordPage:
        """Records of the trail, in order"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/trail/records',
            query={'limit': limit, 'cursor': cursor, 'order': order},
            reply=ReplyKind.JSON,
        )
        return cast("RecordPage", await self.send(request))

    async def record_receipt(
        self,
        index: str,
    ) -> str:
        """The receipt of a record: the record, its path, a signed checkpoint"""
        request = ApiRequest(
            method='GET',
            path='/api/v1/trail/records/{index}/receipt',
            inside={'index': index},
            reply=ReplyKind.TEXT,
        )
        return cast("str", await self.send(request))

    async def verify_file(
        self,
        body: bytes,
    ) -> VerificationReport:
        """Verifies a pack, a PDF, an archive, a receipt, a checkpoint or a trail export"""
        request = ApiRequest(
            method='POST',
            path='/api/v1/verify',
            content=body,
            reply=ReplyKind.JSON,
        )
        return cast("VerificationReport", await self.send(request))

    async def is_alive(
        self,
    ) -> HealthResponse:
        """Whether the server is alive"""
        request = ApiRequest(
            method='GET',
            path='/healthz',
            reply=ReplyKind.JSON,
        )
        return cast("HealthResponse", await self.send(request))

    async def metrics(
        self,
    ) -> str:
        """Metrics in the text format of Prometheus"""
        request = ApiRequest(
            method='GET',
            path='/metrics',
            reply=ReplyKind.TEXT,
        )
        return cast("str", await self.send(request))

    async def is_ready(
        self,
    ) -> HealthResponse:
        """Whether the server is ready: its store answers, and writes succeed"""
        request = ApiRequest(
            method='GET',
            path='/readyz',
            reply=ReplyKind.JSON,
        )
        return cast("HealthResponse", await self.send(request))
