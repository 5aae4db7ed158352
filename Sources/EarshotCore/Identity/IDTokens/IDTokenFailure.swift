/// Why an ID token was refused. The raw values are stable: logs, the audit log and the page for administration use
/// them. A consumer's page learns only that the sign-in failed.
enum IDTokenFailure: String, Error, Hashable, CaseIterable {
    case tooLarge = "id_token_too_large"
    case malformed = "id_token_malformed"
    case malformedHeader = "id_token_header_malformed"
    case unsupportedHeader = "id_token_header_unsupported"
    case notDecryptable = "id_token_not_decryptable"
    case wrongType = "id_token_type_wrong"
    case algorithmNotAllowed = "id_token_algorithm_not_allowed"
    case unknownKey = "id_token_key_unknown"
    case wrongAlgorithm = "id_token_algorithm_wrong_for_key"
    case wrongSignature = "id_token_signature_wrong"
    case malformedClaims = "id_token_claims_malformed"
    case wrongIssuer = "id_token_issuer_wrong"
    case wrongAudience = "id_token_audience_wrong"
    case invalidSubject = "id_token_subject_invalid"
    case invalidTimes = "id_token_times_invalid"
    case expired = "id_token_expired"
    case notYetValid = "id_token_not_yet_valid"
    case tooLongLived = "id_token_lifetime_too_long"
    case wrongNonce = "id_token_nonce_wrong"
}

/// Why a pasted key, or a whole set of keys, was refused. The raw values are stable.
enum ProviderKeyFailure: String, Error, Hashable, CaseIterable {
    /// The whole text.
    case tooLarge = "keys_too_large"
    case tooMany = "keys_too_many"
    case malformed = "keys_malformed"
    case noneUsable = "keys_none_usable"
    /// One key.
    case unreadable = "key_unreadable"
    case privateKey = "key_private"
    case notForSignatures = "key_not_for_signatures"
    case unsupported = "key_unsupported"
    case weak = "key_weak"
    case missingID = "key_id_missing"
    case repeatedID = "key_id_repeated"
}
